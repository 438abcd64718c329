"""The names of the methods, in the order in which they are quick. Needs no torch, so that a page can list them."""

REFERENCE = "leave_one_out"  # what really happens without a word
METHODS = ("attention", "rollout", "norms", "gradient", "value_zeroing", "integrated", REFERENCE)
FROM_TRACE = ("attention", "rollout")  # which need nothing of the model
SIGNED = ("gradient", "integrated", REFERENCE)  # in nats: above 0 speaks for the token, below against it
UNCERTAIN = "integrated"  # which has no values where its path cannot be refined enough
RANDOM = "random"  # the order of chance, in deletion curves
FEWEST = 3  # words that can be ranked
