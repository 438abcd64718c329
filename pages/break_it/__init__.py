"""The page /break: all that only it needs."""
