"""Changes to a forward pass, and what they do to the output."""
