"""Figures of a user's own model: numpy, torch or lists in, a figure that displays and saves itself out."""
