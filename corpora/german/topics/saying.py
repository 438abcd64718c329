"""Two helpers of the topics: joining words, and a plain English clause."""

from corpora.german import english
from corpora.german.subjects import Subject


def join(*words: str) -> str:
    """Words with single spaces, empty ones left out."""
    return " ".join(word for word in words if word)


def states(subject: Subject, verb: str, rest: str = "", *, question: bool = False, negative: bool = False) -> str:
    """An English clause in the simple present."""
    return english.clause(subject.en, subject.en_plural, verb, "", "", rest, question=question, negative=negative)
