"""The page of the whole model: every weight and value of one pass on one sheet."""
