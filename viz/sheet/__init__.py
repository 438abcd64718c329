"""The sheet: where every matrix of a model stands, and its numbers as tiles for a browser."""
