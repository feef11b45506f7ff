"""Claims of arXiv 2508.09628, "Attention's forward pass and Frank-Wolfe"."""
