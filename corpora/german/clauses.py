"""Word order: one clause from its parts, as statement, question, modal, Perfekt or subordinate clause, twice over.

German middle field: pronoun, time, nicht/gern, object, place; English: subject, verb, object, place, time.
"""

from dataclasses import dataclass
from typing import Literal

from corpora.german import english
from corpora.german.conjugation import infinitive, present
from corpora.german.lexicon import Phrase, Verb
from corpora.german.sentence_form import sentence
from corpora.german.subjects import Subject, is_pronoun
from corpora.pairs import Pair

NOTHING = Phrase("", "")
Order = Literal["statement", "time first", "question", "subordinate"]
Aspect = Literal["simple", "progressive"]
LIKING = {"gern": "like {}", "lieber": "prefer {}", "am liebsten": "like {} best"}


@dataclass(frozen=True)
class Action:
    """A verb with its complements; `none` is the object with kein, `settled` an object that stands before nicht."""

    verb: Verb
    obj: Phrase = NOTHING
    place: Phrase = NOTHING
    none: Phrase = NOTHING
    settled: bool = False

    @property
    def pronoun(self) -> str:
        """A pronoun object, which stands right after the verb."""
        return self.obj.de if is_pronoun(self.obj.de) else ""


@dataclass(frozen=True)
class Time:
    """When; `aspect` is what it asks of an English activity verb."""

    phrase: Phrase = NOTHING
    aspect: Aspect = "simple"
    adverb: bool = False  # often, always: before the English verb

    def __bool__(self) -> bool:
        return bool(self.phrase.de)


@dataclass(frozen=True)
class Clause:
    """All that decides a clause but its order."""

    subject: Subject
    action: Action
    time: Time = Time()
    negative: bool = False
    modal: str = ""
    perfect: bool = False  # Perfekt
    already: bool = False  # Perfekt with schon: have + participle in English
    gern: str = ""
    opening: Phrase = NOTHING  # a question word
    aspect: Aspect = "simple"
    habit: bool = False  # never -ing


def english_rest(action: Action, none: bool = False) -> str:
    """Object and place in English; a particle verb stays whole: pick up the parcel, but pick me up."""
    return _join((action.none if none else action.obj).en, action.place.en)


def _join(*words: str) -> str:
    return " ".join(word for word in words if word)


def english_verb(action: Action) -> tuple[tuple[str, str, str], str]:
    """Base, past and participle, with the rest; a pronoun goes between verb and particle."""
    verb = action.verb
    forms = (verb.en, verb.en_past, verb.en_participle)
    particle = verb.en.partition(" ")[2]
    if action.pronoun and particle in ("up", "back"):
        base, past, participle = (form.partition(" ")[0] for form in forms)
        return (base, past, participle), _join(action.obj.en, particle, action.place.en)
    return forms, english_rest(action)


def german(clause: Clause, order: Order) -> str:
    """The German clause without capital and full stop."""
    action, verb, time = clause.action, clause.action.verb, clause.time.phrase.de
    obj, negation = action.obj.de, "nicht" if clause.negative else ""
    if clause.negative and action.none.de:
        obj, negation = action.none.de, ""
    pronoun, before = action.pronoun, ""
    if pronoun:
        obj = ""
    elif (negation or clause.already) and action.settled:
        obj, before = "", obj
    time_here = "" if order == "time first" else time
    already = "schon" if clause.already and not clause.negative else "noch" if clause.already else ""
    middle = _join(pronoun, before, time_here, already, negation, clause.gern, obj, action.place.de)
    person = clause.subject.person
    if clause.modal:
        finite, end = present(clause.modal, person), infinitive(verb)
    elif clause.perfect:
        finite, end = present(verb.auxiliary, person), verb.participle
    else:
        finite, end = present(verb, person), verb.prefix
    if order == "subordinate":
        last = end + finite if end == verb.prefix and not clause.modal and not clause.perfect else f"{end} {finite}"
        return _join(clause.subject.de, middle, last)
    if order == "statement":
        return _join(clause.subject.de, finite, middle, end)
    first = time if order == "time first" else clause.opening.de
    if pronoun and len(clause.subject.de.split()) > 1 and order == "time first":
        return _join(first, finite, clause.subject.de, middle, end)
    return _join(first, finite, clause.subject.de, middle, end)


def english_clause(clause: Clause, order: Order) -> str:
    """The English clause without capital and full stop."""
    action, time, subject = clause.action, clause.time, clause.subject
    (base, past, participle), rest = english_verb(action)
    negative = clause.negative
    if negative and action.none.de:
        rest = english_rest(action, none=True)
    later = "" if order == "time first" or time.adverb else time.phrase.en
    adverb = time.phrase.en if time.adverb else ""
    if clause.gern:
        pattern = LIKING[clause.gern]
        rest = _join(english.ing(base), rest) + pattern.partition("{}")[2]
        base, past, participle = (pattern.partition("{}")[0].strip(),) * 3
    under_way = action.verb.under_way and not time and not clause.habit and clause.opening.de != "wie oft"
    progressive = (under_way or "progressive" in (time.aspect, clause.aspect)) and not (
        action.verb.stative or clause.gern
    )
    if (
        clause.opening.de == "wann"
    ):  # as of a timetable: when does it open, when do you arrive; but: when are you coming
        progressive = action.verb.under_way and not action.verb.prefix
    tense: english.Tense = "progressive" if progressive and not clause.modal else "present"
    if clause.perfect:
        tense = "perfect" if clause.already else "past"
    if clause.already:
        adverb, later = ("", _join(later, "yet")) if negative else ("already", later)
    if adverb == "never":
        negative = False
    text = english.clause(
        subject.en,
        subject.en_plural,
        base,
        past,
        participle,
        _join(rest, later),
        tense=tense,
        negative=negative,
        question=order == "question",
        modal=clause.modal,
        adverb=adverb,
    )
    first = time.phrase.en if order == "time first" else clause.opening.en if order == "question" else ""
    return _join(first, text)


def pair(clause: Clause, order: Order = "statement") -> Pair:
    """The clause as a sentence in both languages."""
    end = "?" if order == "question" else "."
    return sentence(german(clause, order), english_clause(clause, order), end)
