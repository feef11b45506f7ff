"""Tests of verifying."""
