"""A short test before and after a lesson: its questions, and what the answers of a class say about learning."""
