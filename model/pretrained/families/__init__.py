"""How each family names its tensors and fields, and what has to be folded into the weights to fit our model."""
