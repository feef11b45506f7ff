"""How the systems of the papers move, in every arithmetic."""
