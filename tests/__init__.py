"""Tests, room by room as the house has them."""
