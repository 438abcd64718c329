"""What is measured of the heads of attention: what they look for."""
