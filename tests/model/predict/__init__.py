"""Questions that ask for a prediction, their grades, and misconceptions."""
