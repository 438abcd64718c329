"""What masks do: batches and padding, the loss under a mask, a test for leakage."""
