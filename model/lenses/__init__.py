"""Lenses beside the logit lens: DecoderLens, the Jacobian lens and the tuned lens, and how right they are."""
