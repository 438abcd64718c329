"""Roles of a model's heads that measurements support, and the average effect of removing a part."""
