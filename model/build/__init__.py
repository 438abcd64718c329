"""How the shipped checkpoints are made: recipes, training, evaluation, cards."""
