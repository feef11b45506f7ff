"""Instances: drawn, built and read."""
