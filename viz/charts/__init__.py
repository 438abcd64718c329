"""Charts of few marks, as altair specifications."""
