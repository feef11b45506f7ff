"""What an exact orbit of averaging steps tends to, by certificate."""
