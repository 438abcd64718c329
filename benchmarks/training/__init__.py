"""Training: a step, and runs of the page /train."""
