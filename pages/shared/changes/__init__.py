"""Changes to a run: as links spell them and as sentences say them."""
