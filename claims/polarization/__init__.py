"""Claims of arXiv 2603.06248, the value-softmax model."""
