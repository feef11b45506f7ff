"""Sheets for the authors of a paper, in the form of a referee's report."""
