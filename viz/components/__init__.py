"""Figures that the browser draws: their data and their scripts."""
