"""Standalone SVG files."""
