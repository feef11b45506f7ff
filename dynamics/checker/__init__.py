"""The independent checker: the dynamics stated again, in fractions and mpmath's intervals."""
