"""The tokenizer of a Hugging Face model folder, as its own files describe it, with the original's ids."""
