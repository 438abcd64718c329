"""The page /compare: all that only it needs."""
