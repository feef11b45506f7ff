"""Metastability of the attention chain: how long tokens stay in their tubes, how rarely they leave, and which way.

The derivations stand in docs/escapes.md.
"""
