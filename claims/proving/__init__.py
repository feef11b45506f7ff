"""Proves a conclusion for every real input of one size: formulas run on symbols, solvers decide what is left."""
