"""The page /attention: all that only it needs."""
