"""English verb groups: tense, question and negation, with the contractions the corpus uses.

Contracted: I'm, you're, he's, it's, we're, they're, that's and n't (don't, isn't, can't). In full: I would like.
"""

import re
from typing import Literal

from corpora.german.phrases import table

Tense = Literal["present", "progressive", "past", "perfect"]
BE = {"I": "am", "he": "is", "she": "is", "it": "is"}
MODALS = {"können": "can", "sollen": "should"}
# German modal -> the English verb that stands before the infinitive.
SEMI_MODALS = {"müssen": "have to", "wollen": "want to", "dürfen": "be allowed to"}
CONTRACTED = table("english.contracted")


def third(phrase: str) -> str:
    """goes, has, tidies up, watches TV."""
    verb, space, rest = phrase.partition(" ")
    if verb == "have":
        form = "has"
    elif re.search(r"[^aeiou]y$", verb):
        form = verb[:-1] + "ies"
    else:
        form = verb + ("es" if re.search(r"(s|x|sh|ch|o|z)$", verb) else "s")
    return form + space + rest


def ing(phrase: str) -> str:
    """going, making, swimming, tidying up."""
    verb, space, rest = phrase.partition(" ")
    if verb == "lie":
        form = "lying"
    elif verb.endswith("e") and verb not in ("be", "see"):
        form = verb[:-1] + "ing"
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnptl]", verb) or verb in ("travel", "cancel", "begin", "forget"):
        form = verb + verb[-1] + "ing"
    else:
        form = verb + "ing"
    return form + space + rest


def be(subject: str, plural: bool, tense: Tense) -> str:
    """am, is, are, was or were."""
    if tense == "past":
        return "were" if plural or subject in ("you", "we", "they") else "was"
    if plural or subject in ("you", "we", "they"):
        return "are"
    return BE.get(subject, "is")


def negated(auxiliary: str) -> str:
    """don't, isn't, can't; `am` stays apart: am not."""
    return {"am": "am not", "can": "can't", "will": "won't"}.get(auxiliary, auxiliary + "n't")


def contract(text: str) -> str:
    """The contractions of statements: I'm, he's, we're, that's."""
    for full, short in CONTRACTED:
        text = re.sub(rf"\b{full}\b(?!$)", short, text)
    return text


def clause(
    subject: str,
    plural: bool,
    verb: str,
    past: str,
    participle: str,
    rest: str,
    *,
    tense: Tense = "present",
    negative: bool = False,
    question: bool = False,
    modal: str = "",
    adverb: str = "",
) -> str:
    """A clause without its punctuation: (I, read, 'a book', question) -> do I read a book."""
    many = plural or subject in ("I", "you", "we", "they")
    if modal == "möchten":
        return _would_like(subject, many, verb, rest, negative, question, adverb)
    if modal == "dürfen" and question and subject in ("I", "we"):
        return _join("may", subject, adverb, verb, rest)
    if modal == "dürfen":
        verb, rest = "be", _join("allowed to", verb, rest)
    elif modal in SEMI_MODALS:
        verb, rest = SEMI_MODALS[modal], _join(verb, rest)
    elif modal:
        return _ordered(subject, MODALS[modal], verb, rest, negative, question, adverb)
    if verb == "be":
        if tense == "perfect":
            return _ordered(subject, "have" if many else "has", "been", rest, negative, question, adverb)
        return _ordered(subject, be(subject, plural, tense), "", rest, negative, question, adverb)
    if tense == "progressive":
        return _ordered(subject, be(subject, plural, "present"), ing(verb), rest, negative, question, adverb)
    if tense == "perfect":
        return _ordered(subject, "have" if many else "has", participle, rest, negative, question, adverb)
    if negative or question:
        helper = "did" if tense == "past" else "do" if many else "does"
        return _ordered(subject, helper, verb, rest, negative, question, adverb)
    form = past if tense == "past" else verb if many else third(verb)
    return _join(subject, adverb, form, rest)


def _would_like(subject: str, many: bool, verb: str, rest: str, negative: bool, question: bool, adverb: str) -> str:
    if negative:
        helper = "don't" if many else "doesn't"
        return _join(*((helper, subject) if question else (subject, helper)), adverb, "want to", verb, rest)
    if question:
        return _join("would", subject, adverb, "like to", verb, rest)
    return _join(subject, adverb, "would like to", verb, rest)


def _ordered(subject: str, helper: str, verb: str, rest: str, negative: bool, question: bool, adverb: str) -> str:
    if negative and question and helper == "am":
        return _join("am", subject, "not", adverb, verb, rest)
    helper = negated(helper) if negative else helper
    if question:
        return _join(helper, subject, adverb, verb, rest)
    return contract(_join(subject, helper, adverb, verb, rest))


def _join(*words: str) -> str:
    return " ".join(word for word in words if word)
