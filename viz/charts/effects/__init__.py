"""Charts of what caused an output: changes, attribution, average effects."""
