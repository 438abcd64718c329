"""What others would build, and we compare with."""
