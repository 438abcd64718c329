"""The page /intervene: all that only it needs."""
