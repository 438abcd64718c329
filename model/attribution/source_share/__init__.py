"""How much of each written token comes from the source and how much from what was written before, by four methods."""
