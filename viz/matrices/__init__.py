"""Labelled matrices of each subject."""
