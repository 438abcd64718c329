"""The page /masks: all that only it needs."""
