"""Notation, hypotheses and starts of the polarization claims."""
