"""Words, notices and numbers in both languages."""
