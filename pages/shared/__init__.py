"""Parts that several pages need."""
