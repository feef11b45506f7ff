"""What a run is about: a conclusion of the suite, or a file of one's own, which is read before it is executed."""
