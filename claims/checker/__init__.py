"""The independent checker of certificates: it cannot import any deciding code."""
