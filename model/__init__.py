"""Everything numeric: the model, its trace, its tokenizers, training and checkpoints.

Imports nothing heavy by itself: `model.trace` and `model.checkpoint.catalogue` work before torch is loaded.
"""
