"""The page /primer: all that only it needs."""
