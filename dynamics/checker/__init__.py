"""The independent checker: the dynamics stated a second time, on fractions and mpmath's intervals."""
