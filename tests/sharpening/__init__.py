"""Tests of brackets of constants."""
