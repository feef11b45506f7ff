"""Claims as Hypothesis tests: strategies, tests of claims, and the plugin of pytest."""
