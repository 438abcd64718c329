"""Switches above figures of attention: weights as they are or times value norms, tokens or whole words."""
