"""A class: who teaches, which pages and models its students see, and the lesson of a user."""
