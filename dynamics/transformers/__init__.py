"""Small transformers trained on two tasks, as in section 4 and appendix E of the polarization paper (arXiv 2603.06248v1).

`settings` says what a run is, `tasks` makes its data, `model` and `training` train it (JAX, the extra `transformers`),
`measures` reads from it what the paper plots. Float32, as there: evidence, never a verdict.
"""
