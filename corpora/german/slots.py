"""What each draw of the German grammar can become in a sentence, in both languages."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

from corpora.alignment import Forms, Slot
from corpora.german import english
from corpora.german.clauses import LIKING, Action
from corpora.german.conjugation import IRREGULAR, imperative, infinitive, present
from corpora.german.declension import COLUMN, DEFINITE, MIXED, POSSESSIVES, adjective, determiner
from corpora.german.lexicon import NOUN, PLACES, TIMES, VERB, Noun, Phrase, Place, Verb
from corpora.german.numbers import number
from corpora.german.subjects import ACCUSATIVE, DATIVE, ENGLISH, ENGLISH_OBJECT, english_name

_ARTICLES = "der die das den dem des ein eine einen einem einer eines"
_PREPOSITIONS = "im in ins am an ans auf aus bei beim mit nach von vom vor zu zum zur für über unter um"
FUNCTION_WORDS = frozenset(f"{_ARTICLES} {_PREPOSITIONS} und".split())
NEGATED = ("n't", "not")
BE = ("am", "is", "are", "'m", "'s", "'re", "be", "was", "were")
MODAL = {
    "können": ("can", "ca", "could"), "müssen": ("have to", "has to", "had to", "must"),
    "wollen": ("want to", "wants to", "wanted to", "shall"), "dürfen": ("may", "allowed to"),
    "sollen": ("should", "shall"), "möchten": ("would like", "would like to", "like", "like to", "want to"),
    "haben": ("have", "has", "had"), "sein": BE, "war": ("was", "were"), "hatte": ("had",), "mögen": ("like", "likes"),
    "wissen": ("know", "knows"),
}  # fmt: skip
SMALL_WORDS = {
    "und": ("and",), "oder": ("or",), "aber": ("but",), "dass": ("that",), "weil": ("because",), "wenn": ("when", "if"),
    "ob": ("if", "whether"), "als": ("than", "as"), "wie": ("how", "as", "like"), "was": ("what",), "wer": ("who",),
    "wo": ("where",), "wohin": ("where",), "woher": ("where",), "wann": ("when",), "warum": ("why",), "wen": ("who",),
    "bitte": ("please",), "nicht": NEGATED, "schon": ("already", "yet"), "noch": ("still", "yet"), "zuerst": ("first",),
    "dann": ("then",), "sehr": ("very",), "hier": ("here",), "da": ("there",), "man": ("one", "you"), "es": ("it",),
    "das": ("that", "this", "these", "those"), "kein": ("no",), "denn": ("because",), "auch": ("also", "too"),
    "gern": ("like", "likes"), "uhr": ("o'clock",), "mit": ("with", "by"), "ohne": ("without",), "für": ("for",),
    "von": ("from", "of"), "bei": ("with", "at"), "aus": ("from",), "in": ("in", "to", "into"), "zu": ("to", "too"),
    "nach": ("to", "after"),
}  # fmt: skip
MARKS = (".", "?", "!", ",")


def slots(drawn: Sequence[object]) -> list[Slot]:
    """The slots of a sentence: those that were drawn, the longest first, then those of every sentence."""
    own = [slot for each in reversed(drawn) for slot in _of(each)]
    own.sort(key=lambda slot: -max(len(form.split()) for part in slot.source for form in part))
    return [*own, *_everywhere()]


def _of(drawn: object) -> Iterator[Slot]:
    """The slots of one draw; other draws, such as numbers and section names, have none."""
    if isinstance(drawn, Action):
        yield from _action(drawn)
    elif isinstance(drawn, Noun):
        yield _noun(drawn)
    elif isinstance(drawn, Verb):
        yield _verb(drawn, drawn.en, drawn.en_past, drawn.en_participle)
    elif isinstance(drawn, Place):
        yield from map(_phrase, (drawn.to, drawn.at))
    elif isinstance(drawn, tuple):
        yield from _texts(drawn)
    elif isinstance(drawn, str):
        yield from _word(drawn)


def _texts(drawn: tuple[object, ...]) -> Iterator[Slot]:
    """Of a German text and its English, or of several things in one draw."""
    if len(drawn) == 2 and all(isinstance(text, str) for text in drawn) and all(drawn):
        yield _phrase(Phrase(*drawn))  # type: ignore[arg-type]
    for each in drawn:
        yield from _of(each)


def _word(text: str) -> Iterator[Slot]:
    """A verb or noun by its name, a person's name, or a word of liking."""
    if text in VERB:
        yield from _of(VERB[text])
    elif text in NOUN:
        yield _noun(NOUN[text])
    elif text in LIKING:
        liking = LIKING[text].split("{}")
        yield Slot(((text,),), tuple((part.strip(), english.third(part.strip())) for part in liking if part.strip()))
    elif text[:1].isupper() and len(text) > 2:
        yield Slot(((text,),), ((english_name(text),),))


def _phrase(phrase: Phrase) -> Slot:
    """A phrase; a single word may have the endings of an adjective."""
    german, text = phrase
    one = german.isalpha() and german.islower()
    forms = _inflected(german) if one else (german,)
    return Slot((forms,), ((text, *((english.third(text),) if one else ())),))


@cache
def _inflected(base: str) -> Forms:
    forms = [base, base + "e", base + "en"]
    for kind in ("der", "ein", ""):
        forms += [adjective(base, kind, case, shape) for case in ("nom", "acc", "dat") for shape in COLUMN]  # type: ignore[arg-type]
    return tuple(dict.fromkeys(forms))


def _noun(noun: Noun) -> Slot:
    singular = [noun.singular + ending for ending in ("", "n", "en", "s")] if noun.singular else []
    plural = [noun.plural, noun.plural + "n"] if noun.plural else []
    target = tuple(dict.fromkeys((noun.en, noun.en_plural)))
    return Slot(((*singular, *plural),), (target,), determiners=_determiners())


def _verb(verb: Verb, base: str, past: str, participle: str) -> Slot:
    """A verb in all its forms; its English in several parts if it has a particle."""
    rest = base.partition(" ")[2]
    heads = [form.partition(" ")[0] for form in (base, english.third(base), english.ing(base), past, participle)]
    target = [tuple(dict.fromkeys(heads)), *([(rest,)] if rest else [])]
    return Slot((_finite(verb),), tuple(target), tail=(verb.prefix,) if verb.prefix else (), is_verb=True)


def _finite(verb: Verb) -> Forms:
    finite = [present(verb, person) for person in range(6)]
    forms = [infinitive(verb), verb.participle, *finite, *(verb.prefix + form for form in finite)]
    return tuple(dict.fromkeys([*forms, imperative(verb), verb.infinitive]))


def _action(action: Action) -> Iterator[Slot]:
    """A verb with its complement: zu Abend essen, have dinner. Then each of them alone."""
    verb, complement = action.verb, " ".join(filter(None, (action.obj.de, action.place.de)))
    text = " ".join(filter(None, (verb.en, action.obj.en, action.place.en)))
    whole = _verb(verb, text, verb.en_past, verb.en_participle)
    none = (action.none.de,) if action.none.de else ()
    if complement:
        yield Slot((*whole.source, (complement, *none)), whole.target, whole.tail, True)
    else:
        yield whole


@cache
def _determiners() -> dict[str, Forms]:
    """der -> the, einen -> a, meinem -> my, dieses -> this."""
    table: dict[str, Forms] = {}
    for case in DEFINITE:
        for shape in COLUMN:
            for kind, text in {
                "der": ("the",),
                "ein": ("a", "an"),
                "dieser": ("this", "these"),
                "welcher": ("which",),
            }.items():
                table[determiner(kind, case, shape)] = text  # type: ignore[arg-type]
            for kind, text in POSSESSIVES.items():
                form = determiner(kind, case, shape).lower()  # type: ignore[arg-type]
                table[form] = tuple(dict.fromkeys((*table.get(form, ()), text)))
    table.pop("", None)
    return table


@cache
def _everywhere() -> tuple[Slot, ...]:
    """Slots of every sentence: pronouns, helping verbs, small words, numbers and marks."""
    result = [Slot(((mark,),), ((mark,),)) for mark in MARKS]
    result += [Slot(((form,),), (texts,)) for form, texts in _pronouns().items()]
    result += [Slot((tuple(IRREGULAR[verb]),), (texts,)) for verb, texts in MODAL.items()]
    nobody = tuple(determiner("kein", case, shape) for case in MIXED for shape in COLUMN)  # type: ignore[arg-type]
    result += [Slot((nobody,), ((*NEGATED, "no"),))]
    result += [Slot(((word,),), (texts,)) for word, texts in SMALL_WORDS.items()]
    result += [Slot(((number(value).de,),), ((number(value).en,),)) for value in range(101)]
    result += [slot for place in chain.from_iterable(PLACES.values()) for slot in _of(place)]
    result += map(_phrase, chain.from_iterable(TIMES.values()))
    result += [slot for verb in VERB.values() for slot in _of(verb)]
    return tuple(result)


def _pronouns() -> dict[str, Forms]:
    """ich -> I, me; sie -> she, they, her, them."""
    table: dict[str, dict[str, None]] = {}
    for key, text in ENGLISH.items():
        forms = [(key.removesuffix("-pl"), text)]
        forms += [(case[key], ENGLISH_OBJECT[key]) for case in (ACCUSATIVE, DATIVE) if key in case]
        for form, each in forms:
            table.setdefault(form.lower(), {}).setdefault(each.lower())
    return {form: tuple(texts) for form, texts in table.items()}
