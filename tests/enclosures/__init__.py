"""Tests of enclosures."""
