"""Sentence pairs to learn from: our own grammar and phrase books, and licensed slices of real data."""
