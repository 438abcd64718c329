"""How many edges the model is run with alone. Needs no torch, so that a page can offer them."""

SIZES = (4, 8, 12, 16, 24, 32, 48, 64)
CHANCES, FEW_CHANCES = 4, 1  # random graphs of as many edges; the few are of a large model
