"""Claim files with a system of one's own, which `claims new --own-system` copies as they stand."""
