"""Tests of hunting."""
