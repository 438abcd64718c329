"""The page /start: all that only it needs."""
