"""The atlas: a static site of the statements, their pictures and their counterexamples. Nothing else imports it but the cli."""
