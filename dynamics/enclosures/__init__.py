"""Proposes certified trajectories and enclosures; what is claimed rests on `dynamics.trusted` alone."""
