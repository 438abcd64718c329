"""Layout that each page shares: sidebar, heading, fragments, tour."""
