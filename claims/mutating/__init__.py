"""Mutation of claims: statements changed a little, to see whether the suite notices."""
