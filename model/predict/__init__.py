"""Predict first: questions whose answer a pass of the running model decides, grades, and misconceptions by name."""
