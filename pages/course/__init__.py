"""The course: eight steps from the look-up to learning."""
