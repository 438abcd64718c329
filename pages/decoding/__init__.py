"""The page /decoding: all that only it needs."""
