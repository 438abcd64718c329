"""Paths by which a logit came about: heads and feed-forward networks from word to word, and what is left with a few."""
