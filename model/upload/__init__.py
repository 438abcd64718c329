"""Zip files of checkpoints, checked before anything in them is used."""
