"""The matrices of attention figures, with their formulas."""
