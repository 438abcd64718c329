"""Controls and figures that several pages use."""
