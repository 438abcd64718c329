"""What surrounds each page: sidebar, heading, fragments, tour."""
