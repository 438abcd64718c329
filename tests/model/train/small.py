"""A run that ends in a second."""

from model.train.run_settings import RunSettings

TINY = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=24, warmup=4, dropout=0.1, average=0.5)
