"""Tokenizers in the files of their best-known repositories on the hub, with tiny vocabularies."""
