"""Tests of trusted."""
