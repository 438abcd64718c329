"""Attention: its measures, its computation step by step, and the arithmetic of one weight."""
