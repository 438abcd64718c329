"""Further languages: their commands, their fallback, and one from right to left."""
