"""Sentence topics: each function draws one pair, `TOPICS` in the package lists them."""
