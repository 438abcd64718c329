"""Small tasks: dates, sequences, rhymes, notebooks, and texts of the user's own."""
