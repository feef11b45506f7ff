"""Tests of transformers."""
