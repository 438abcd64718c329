"""Small parts of the model that the paper does not explain, or that only some systems have."""
