"""Claims of arXiv 2305.05465, "The emergence of clusters in self-attention dynamics"."""
