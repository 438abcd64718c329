"""Effects of masks: batches and padding, the loss under a mask, a test for leakage."""
