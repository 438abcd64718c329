"""The page /train: all that only it needs."""
