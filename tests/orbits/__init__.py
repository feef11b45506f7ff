"""Tests of orbits."""
