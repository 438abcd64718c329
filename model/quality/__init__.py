"""How good a model's outputs may be, by what their passes show: quality estimation without and with references."""
