"""Checkpoint folders: which there are, reading and writing them, training histories, users' own."""
