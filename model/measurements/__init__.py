"""Measurements of a checkpoint, one module each: its command, what `--save` records, and how a page reads that."""
