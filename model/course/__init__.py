"""The questions of the course, one module for each step: what is asked about a run, and what its model answers."""
