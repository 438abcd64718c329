"""Questions that the running model answers: what is asked, what is right, and whether an answer is."""
