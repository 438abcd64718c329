"""The page /quiz: all that only it needs."""
