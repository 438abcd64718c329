"""Attention as standalone SVG files."""
