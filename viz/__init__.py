"""Figures: arrays and labels in, pictures out."""
