"""Named constants of inequalities, bracketed: which value is refuted, which is proved, how sharp the printed one is."""
