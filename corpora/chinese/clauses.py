"""Sentences from their parts. Chinese order: subject, time, adverb, 在 place, verb, object; English turns it round."""

import random
from dataclasses import dataclass

from corpora.chinese import english
from corpora.chinese.dictionary import ACTIVITIES, OBJECTS, PLACES, TIMES, WHERE
from corpora.chinese.english import Tense, join
from corpora.chinese.lexicon import NOTHING, Person, Phrase
from corpora.chinese.noun_phrases import Things, counted, pointed, several
from corpora.chinese.phrases import pairs
from corpora.pairs import Pair

END = {"。": ".", "？": "?", "！": "!"}


def say(chinese: str, text: str, end: str = "。") -> Pair:
    """A pair of sentences: full-width mark in Chinese, capital and mark in English."""
    return Pair(chinese + end, text[:1].upper() + text[1:] + END[end])


def states(
    who: Person | Things,
    verb: str,
    *,
    tense: Tense = "present",
    negative: bool = False,
    question: bool = False,
    modal: str = "",
    adverb: str = "",
) -> str:
    """The English clause of a subject and a verb phrase."""
    return english.clause(
        who.en, who.many, verb, tense=tense, negative=negative, question=question, modal=modal, adverb=adverb
    )


@dataclass(frozen=True)
class Action:
    """Something that one does: the words before the verb (在学校, 去商店), the verb, its object, and the English."""

    before: str
    verb: str
    obj: str
    en: str
    once: bool = False  # a counted object: 买了三本书

    @property
    def zh(self) -> str:
        return self.before + self.verb + self.obj

    @property
    def going(self) -> bool:
        """Whether it is a way somewhere, which bare 去 or 回 says to be under way."""
        return (self.before or self.verb)[0] in "去回"

    @property
    def done(self) -> str:
        """With 了: after the verb before a counted object, else at the end."""
        return f"{self.before}{self.verb}了{self.obj}" if self.once else f"{self.zh}了"


def present(
    who: Person | Things, act: Action, *, negative: bool = False, question: bool = False, adverb: str = ""
) -> str:
    """The English of a bare action: I read, but I'm going to Beijing."""
    tense: Tense = "progressive" if act.going else "present"
    return states(who, act.en, tense=tense, negative=negative, question=question, adverb=adverb)


def at_home_or_sport(rng: random.Random) -> Action:
    """看书, 跑步, 唱歌."""
    group = ACTIVITIES[rng.choice(("home", "home", "sport", "art"))]
    activity = rng.choice(group)
    return Action("", activity.verb, activity.obj, activity.en)


def in_place(rng: random.Random) -> Action:
    """在图书馆看书, read in the library."""
    place = rng.choice(tuple(WHERE))
    activity = rng.choice(WHERE[place])
    return Action(f"在{place.zh}", activity.verb, activity.obj, f"{activity.en} {place.at}")


def go_and_do(rng: random.Random) -> Action:
    """去商店买东西, go to the shop to buy things."""
    place = rng.choice([place for place in WHERE if place.zh != "家"])
    # one goes abroad to work, not to the bank
    activity = rng.choice([a for a in WHERE[place] if a.zh != "工作" or place.section == "city"])
    return Action(f"去{place.zh}", activity.verb, activity.obj, f"go {place.to} to {activity.en}")


def go(rng: random.Random) -> Action:
    """去北京, go to Beijing; 回家, go home."""
    if rng.random() < 0.1:
        return Action("", "回", "家", "go home")
    place = rng.choice(PLACES[rng.choice(("public", "city"))])
    return Action("", "去", place.zh, f"go {place.to}")


def with_counted(rng: random.Random) -> Action:
    """买三本书, buy three books."""
    verb, nouns = rng.choice(OBJECTS["counted"])
    noun = rng.choice(nouns)
    thing = counted(noun, rng.choice((1, 1, 1, 2, 2, 3, 4, 5)) if noun.section != "vehicle" else 1)
    return Action("", verb.zh, thing.zh, f"{verb.en} {thing.en}", once=True)


def with_this(rng: random.Random) -> Action:
    """看这本书, read this book."""
    verb, nouns = rng.choice(OBJECTS["this"])
    thing = rng.choice((pointed, pointed, several))(rng.choice(nouns), rng.choice("这那"))
    return Action("", verb.zh, thing.zh, f"{verb.en} {thing.en}")


def action(rng: random.Random, *kinds: str) -> Action:
    """Any action of some kinds: do, place, visit, go, counted, this."""
    makers = {
        "do": at_home_or_sport,
        "place": in_place,
        "visit": go_and_do,
        "go": go,
        "counted": with_counted,
        "this": with_this,
    }
    return makers[rng.choice(kinds)](rng)


ANY = ("do", "do", "place", "visit", "go", "counted", "this")
PLAIN = ("do", "do", "place", "visit", "go")
STATES = ("喜欢", "认识")  # never -ing, not planned


def planned(rng: random.Random, *kinds: str) -> Action:
    """An action that one can want or plan, not a state."""
    while (candidate := action(rng, *kinds)).verb in STATES:
        pass
    return candidate


# words of an activity that do not go with words of a time
UNFITTING = pairs("clauses.unfitting")


def fits(time: Phrase, doing: str) -> bool:
    """Whether one does it then: no breakfast in the evening."""
    return not any(
        word in doing and any(part in time.zh for part in parts.split()) for word, parts in UNFITTING.items()
    )


def when(rng: random.Random, *kinds: str, doing: str = "") -> Phrase:
    """A time of some sections, at which one does this."""
    times = [time for kind in kinds for time in TIMES[kind]]
    return rng.choice([time for time in times if fits(time, doing)])


def timed(who: Person | Things, time: Phrase, rest: str, text: str, first: bool) -> Pair:
    """A statement with its time before or after the subject; English follows: first or last."""
    if first:
        return say(time.zh + who.zh + rest, f"{time.en} {text}")
    return say(who.zh + time.zh + rest, join(text, time.en))


def maybe(rng: random.Random, share: float, *kinds: str, doing: str = "") -> Phrase:
    """A time in a share of the draws, else nothing."""
    return when(rng, *kinds, doing=doing) if rng.random() < share else NOTHING


def plan_time(rng: random.Random, act: Action) -> Phrase:
    """When an action is planned: next year only for a journey."""
    if _far(act):
        return when(rng, "far") if act.before.startswith("在") else when(rng, "plan", "far", "far")
    return when(rng, "plan", doing=act.zh)


def past_time(rng: random.Random, act: Action) -> Phrase:
    """When an action happened: last year only for a journey."""
    if _far(act):
        return when(rng, "far_past") if act.before.startswith("在") else when(rng, "past", "far_past", "far_past")
    return when(rng, "past", doing=act.zh)


def nearby(rng: random.Random, *kinds: str) -> Action:
    """An action of an ordinary day: no journey."""
    while _far(act := planned(rng, *kinds)):
        pass
    return act


def _far(act: Action) -> bool:
    return any(place.zh in act.before + act.obj for place in PLACES["city"])
