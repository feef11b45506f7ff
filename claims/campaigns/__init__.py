"""Campaigns: plain data on many processes, with a ledger. No mathematics."""
