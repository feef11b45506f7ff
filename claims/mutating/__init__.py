"""Mutation of claims: small changes of statements, to test whether the suite notices them."""
