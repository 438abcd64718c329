"""One pass as a sheet: every weight and value as a matrix, and how each number was computed."""
