"""Known mistakes in an implementation: models that have them, and measures that show them."""
