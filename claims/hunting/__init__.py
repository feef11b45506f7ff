"""Hunting for counterexamples: search in float64, decide exactly, shrink, certify, and record what was examined."""
