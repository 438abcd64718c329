"""Baselines: solutions that others would build, to compare ours with."""
