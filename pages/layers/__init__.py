"""The page /layers: all that only it needs."""
