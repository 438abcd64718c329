"""Models of Hugging Face's transformers, converted into checkpoints of ours."""
