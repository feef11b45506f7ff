"""Claims of arXiv 2509.15958 (localmax) with 2407.01602 (hardmax)."""
