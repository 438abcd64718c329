"""Which training sentences a word of the output was learned from, and whether it goes when they are taken out."""
