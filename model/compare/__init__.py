"""Two models over the same sentence: heads, layers, configs."""
