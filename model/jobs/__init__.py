"""Trainings in the background: queue, worker processes, files, Ray."""
