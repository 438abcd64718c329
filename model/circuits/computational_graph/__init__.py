"""Edges from one part of a model to another: what each carries of an answer, patched and estimated by gradients."""
