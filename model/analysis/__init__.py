"""Measures and figures' numbers, computed from a trace or from weights alone, without running the model again."""
