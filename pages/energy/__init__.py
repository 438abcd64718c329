"""The page /energy: all that only it needs."""
