"""48 attention maps on the screen, measured beside those of BertViz."""
