"""How tokens move through layers: the models of inference."""
