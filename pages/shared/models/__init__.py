"""Models in view: the cached runs, the sentence, users' own models, the queue of trainings."""
