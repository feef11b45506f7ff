"""What becomes of a flow for ever: regions that it cannot leave, and all that can still move."""
