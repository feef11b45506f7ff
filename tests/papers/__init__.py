"""Tests of papers."""
