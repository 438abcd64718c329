"""`make bench`: how this project's goals for speed and size are met, each as a ratio of two medians from one run."""
