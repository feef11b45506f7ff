"""Sheets for authors."""
