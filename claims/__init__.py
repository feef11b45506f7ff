"""What the papers say: one module per claim, and the machinery that decides them."""
