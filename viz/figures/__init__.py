"""Figures as values: one knows its data and words, and from them what a page draws, its files and its numbers."""
