"""What is measured of the pairs that a model learned from."""
