"""Training without Python: a step and a pass of a model as graphs whose weights are an input, for live pages."""
