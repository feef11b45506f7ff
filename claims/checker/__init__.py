"""The independent checker of certificates: reaches nothing that decides."""
