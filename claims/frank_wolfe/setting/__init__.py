"""Notation, hypotheses and starts of the Frank-Wolfe claims."""
