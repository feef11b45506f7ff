"""Decides conclusions on instances, and compares verdicts with standings."""
