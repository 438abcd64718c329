"""Traces as files for other programs."""
