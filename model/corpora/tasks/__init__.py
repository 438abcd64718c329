"""Small tasks: dates, sequences, rhymes, notebooks, and texts of the reader's own."""
