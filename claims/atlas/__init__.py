"""The atlas: a static site of the statements, their pictures and their counterexamples; imported by the cli alone."""
