"""Which words caused a word of the output."""
