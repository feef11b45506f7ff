"""Certificates of counterexamples: their format, and how they are written."""
