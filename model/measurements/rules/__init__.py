"""What is measured of the rules of grammar that a model knows."""
