"""The only code a certificate rests on: balls in, balls out, no floating point and no tolerance."""
