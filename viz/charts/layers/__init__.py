"""Charts of the layers page."""
