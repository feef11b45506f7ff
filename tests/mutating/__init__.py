"""Tests of mutating."""
