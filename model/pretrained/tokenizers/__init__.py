"""The tokenizer of a Hugging Face model folder, as its own files describe it: pieces, original ids, what surrounds."""
