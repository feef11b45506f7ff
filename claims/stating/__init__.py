"""What a statement is: claims, assumptions, verdicts, and the catalogue of all; a file of one's own imports it, too."""
