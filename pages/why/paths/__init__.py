"""The paths by which a word came about: the graph, what the model does with it alone, and how well estimates do."""
