"""Trainings that students run on their own devices, as far as the class knows of them."""
