"""The page /checkpoints: all that only it needs."""
