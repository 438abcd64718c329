"""What a class is asked: checks of a question, and predictions with their grades and what they say of a class."""
