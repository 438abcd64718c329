"""Training: settings, tasks, the optimizer's loop, a run with reports."""
