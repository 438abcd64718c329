"""The page /position: all that only it needs."""
