"""What features mean: the names that patterns of tokens give them, and wishes that they fulfil."""
