"""English verb groups: tense, question and negation, with the contractions the corpus uses.

Contracted: I'm, you're, he's, it's, we're, they're, that's and n't (don't, isn't, can't). In full: will, have, would.
"""

import re
from typing import Literal

from corpora.chinese.lexicon import sections

Tense = Literal["present", "progressive", "past", "perfect"]
PRONOUNS = ("I", "you", "he", "she", "it", "we", "they", "that")
DOUBLED = ("begin", "cut", "forget", "get", "jog", "plan", "put", "run", "shop", "sit", "stop", "swim", "win", "chat")
BETTER = {"good": "better", "bad": "worse", "far": "farther", "good-looking": "better-looking"}
BEST = {"good": "best", "bad": "worst", "far": "farthest", "good-looking": "best-looking"}
IRREGULAR = {base: (*forms.split(", "), forms)[:3] for base, forms in sections("irregular.txt")[""]}


def join(*words: str) -> str:
    """Words with single spaces, empty ones left out."""
    return " ".join(word for word in words if word)


def _inflected(phrase: str, form: str) -> str:
    return form + phrase[len(phrase.partition(" ")[0]) :]


def third(phrase: str) -> str:
    """goes, has, carries, watches TV."""
    verb = phrase.partition(" ")[0]
    if verb in ("have", "be"):
        return _inflected(phrase, {"have": "has", "be": "is"}[verb])
    if re.search(r"[^aeiou]y$", verb):
        return _inflected(phrase, verb[:-1] + "ies")
    return _inflected(phrase, verb + ("es" if re.search(r"(s|x|sh|ch|o|z)$", verb) else "s"))


def ing(phrase: str) -> str:
    """going, making, swimming, watching TV."""
    verb = phrase.partition(" ")[0]
    if verb.endswith("e") and verb not in ("be", "see"):
        return _inflected(phrase, verb[:-1] + "ing")
    return _inflected(phrase, verb + (verb[-1] if verb in DOUBLED else "") + "ing")


def past(phrase: str) -> str:
    """went, made, stopped, watched TV."""
    verb = phrase.partition(" ")[0]
    return _inflected(phrase, IRREGULAR[verb][0] if verb in IRREGULAR else _regular(verb))


def participle(phrase: str) -> str:
    """gone, made, stopped, watched TV."""
    verb = phrase.partition(" ")[0]
    if verb not in IRREGULAR:
        return past(phrase)
    return _inflected(phrase, IRREGULAR[verb][1].split(", ")[0])


def _regular(verb: str) -> str:
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    if verb.endswith("e"):
        return verb + "d"
    return verb + (verb[-1] if verb in DOUBLED else "") + "ed"


def plural(noun: str) -> str:
    """The regular plural of a noun, or of what stands before `of`: books, boxes, cities, cups of tea."""
    head, of, rest = noun.partition(" of ")
    if re.search(r"[^aeiou]y$", head):
        head = head[:-1] + "ies"
    else:
        head += "es" if re.search(r"(s|x|sh|ch)$", head) else "s"
    return head + of + rest


def a(phrase: str) -> str:
    """a book, an apple, an hour, a university."""
    vowel = re.match(r"[aeiou]|hour", phrase, re.I) and not re.match(r"uni|use|European", phrase, re.I)
    return f"{'an' if vowel else 'a'} {phrase}"


def comparative(adjective: str) -> str:
    """bigger, easier, better, more expensive."""
    return _compared(adjective, "er", "more", BETTER)


def superlative(adjective: str) -> str:
    """biggest, easiest, best, most expensive."""
    return _compared(adjective, "est", "most", BEST)


def _compared(adjective: str, ending: str, before: str, irregular: dict[str, str]) -> str:
    if adjective in irregular:
        return irregular[adjective]
    if re.fullmatch(r"[^aeiou]*[aeiou]+[^aeiou]+y|easy|pretty|noisy|windy|early", adjective):
        return adjective[:-1] + "i" + ending
    if re.fullmatch(r"(qu)?[^aeiou]*([aeiou]+[^aeiou]*|[aeiou]+[^aeiou]*e)", adjective):
        if adjective.endswith("e"):
            return adjective + ending[1:]
        return adjective + (adjective[-1] if re.fullmatch(r"[^aeiou]*[aeiou][bdgnt]", adjective) else "") + ending
    return f"{before} {adjective}"


def be(subject: str, many: bool, tense: Tense = "present") -> str:
    """am, is, are, was or were; `many` also for you."""
    if tense == "past":
        return "were" if many else "was"
    return "am" if subject == "I" else "are" if many else "is"


def negated(auxiliary: str) -> str:
    """don't, isn't, can't; `am` stays apart: am not."""
    return {"am": "am not", "can": "can't", "will": "won't"}.get(auxiliary, auxiliary + "n't")


def clause(
    subject: str,
    many: bool,
    verb: str,
    *,
    tense: Tense = "present",
    negative: bool = False,
    question: bool = False,
    modal: str = "",
    adverb: str = "",
) -> str:
    """A clause without its punctuation: (I, read a book, question) -> do I read a book.

    `verb` is a whole verb phrase in its base form; `many` says are and do, not is and does (not of I).
    """
    base, _, rest = verb.partition(" ")
    plain = many or subject == "I"
    if modal:
        return _ordered(subject, modal, verb, negative, question, adverb)
    if tense == "perfect":
        return _ordered(subject, "have" if plain else "has", participle(verb), negative, question, adverb)
    if tense == "progressive":
        return _ordered(subject, be(subject, many), ing(verb), negative, question, adverb)
    if base == "be":
        return _ordered(subject, be(subject, many, tense), rest, negative, question, adverb)
    if negative or question:
        helper = "did" if tense == "past" else "do" if plain else "does"
        return _ordered(subject, helper, verb, negative, question, adverb)
    return join(subject, adverb, past(verb) if tense == "past" else verb if plain else third(verb))


def _ordered(subject: str, helper: str, rest: str, negative: bool, question: bool, adverb: str) -> str:
    if question:
        return join(negated(helper) if negative else helper, subject, adverb, rest)
    if subject in PRONOUNS and helper in ("am", "is", "are"):
        short = f"{subject}'{ {'am': 'm', 'is': 's', 'are': 're'}[helper] }"
        if not negative or helper == "am":
            return join(short, "not" if negative else "", adverb, rest)
    return join(subject, negated(helper) if negative else helper, adverb, rest)
