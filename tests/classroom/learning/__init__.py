"""Short tests before and after a lesson."""
