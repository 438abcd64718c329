"""Topics of what is written and not said: digits, and marks between sentences."""
