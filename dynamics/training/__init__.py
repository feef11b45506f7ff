"""How scores and values move under gradient flow: the models of training."""
