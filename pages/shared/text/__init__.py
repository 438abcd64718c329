"""Words, notices and numbers in all languages."""
