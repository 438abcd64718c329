"""Which inputs caused an output token: methods of attribution, what really happens without an input, and circuits."""
