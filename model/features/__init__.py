"""Dictionaries of features: a vector of a model as a sum of few directions out of many, and what that is good for."""
