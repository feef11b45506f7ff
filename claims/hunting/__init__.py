"""Counterexample hunting: search in float64, decide exactly, shrink, certify, and keep account of what was looked at."""
