"""Falsehoods planted in the claims: constants sharpened too far, assumptions dropped. One module per topic."""
