"""Charts of one kind of mark that several pages use."""
