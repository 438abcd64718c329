"""Charts of positions."""
