"""The page /forecast: all that only it needs."""
