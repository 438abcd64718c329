"""The tab of the lenses: what the model would write if only a part of it was used."""
