"""Measurements of a checkpoint, one module each: its command, what `--save` keeps, and how a page reads that."""
