"""Charts of the vectors of a vocabulary."""
