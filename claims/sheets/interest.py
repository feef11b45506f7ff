"""What may interest the authors of each paper beside errata: answers and sharper forms, by the theorem that they touch."""

from __future__ import annotations

OF_INTEREST: dict[str, tuple[tuple[str, str], ...]] = {}
"""For each paper ids of claims, each with a sentence of prose that names the theorem; formulas between dollar signs."""
