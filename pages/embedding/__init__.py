"""The page /embedding: all that only it needs."""
