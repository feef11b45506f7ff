"""Claims as Hypothesis tests: strategies, the plugin, and what they tell of their examples."""
