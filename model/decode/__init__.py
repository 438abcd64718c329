"""Writing an output: greedy, sampled, forced, by beam search."""
