"""Notation, hypotheses and starts of the localmax claims."""
