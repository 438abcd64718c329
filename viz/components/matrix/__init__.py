"""Labelled matrices for the browser: their data, their layout and its height."""
