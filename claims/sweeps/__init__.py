"""Sweeps: small transformers trained in many settings and from many seeds, as a campaign on a ledger."""
