"""Counterexamples as theorems of Coq: the statement is recorded from the claim's own Python, a kernel accepts the proof."""
