"""What each draw of the Chinese grammar can become in a sentence, in both languages."""

from collections.abc import Iterator, Sequence
from functools import cache

from corpora.alignment import HELPERS, Forms, Slot
from corpora.chinese import english
from corpora.chinese.dictionary import ACTIVITIES, NOUN, OBJECTS, PEOPLE, PLACE, PRONOUN, TIMES
from corpora.chinese.lexicon import Activity, Noun, Person, Place
from corpora.chinese.numbers import counting, number

FUNCTION_WORDS = frozenset("在去到的了吗呢吧过着个")
BE = ("am", "is", "are", "'m", "'s", "'re", "be", "was", "were")
NEGATED = ("n't", "not")
SMALL_WORDS = {
    "是": BE, "不": NEGATED, "没": NEGATED, "没有": NEGATED, "别": NEGATED, "有": ("have", "has", "had"),
    "和": ("and",), "也": ("also", "too"), "都": ("all", "both"), "还": ("still", "also", "yet"), "很": ("very",),
    "太": ("too",), "这": ("this", "these"), "那": ("that", "those"), "什么": ("what",), "谁": ("who",),
    "哪儿": ("where",), "哪里": ("where",), "哪": ("which",), "怎么": ("how",), "为什么": ("why",),
    "什么时候": ("when",), "多少": ("how much", "how many"),
    "想": ("would like", "would like to", "want to", "wants to", "want", "think"),
    "要": ("will", "want", "wants", "want to"), "会": ("can", "ca", "will", "wo"), "能": ("can", "ca"),
    "可以": ("can", "may"), "应该": ("should",), "喜欢": ("like", "likes", "liked"), "觉得": ("think", "thinks"),
    "知道": ("know", "knows"), "说": ("say", "says", "said"), "因为": ("because",), "所以": ("so",), "如果": ("if",),
    "虽然": ("although",), "但是": ("but",), "可是": ("but",), "就": ("then",), "比": ("than",), "最": ("most", "best"),
    "请": ("please",), "谢谢": ("thank you",), "已经": ("already",), "一起": ("together",), "先": ("first",),
    "再": ("then",), "去": ("go", "goes", "going", "went", "gone"), "来": ("come", "comes", "coming", "came"),
    "跟": ("with",), "从": ("from",), "给": ("give", "gives", "giving", "gave", "for", "to"), "现在": ("now",),
    "时候": ("when",), "叫": ("called", "name"),
}  # fmt: skip
MARKS = {"。": ".", "？": "?", "！": "!", "，": ",", "、": ",", "；": ";", "：": ":", "“": '"', "”": '"'}


def slots(drawn: Sequence[object]) -> list[Slot]:
    """The slots of a sentence: those that were drawn, the longest first, then those of every sentence."""
    own = [slot for each in reversed(drawn) for slot in _of(each)]
    own.sort(key=lambda slot: -sum(max(map(len, part)) for part in slot.source))
    return [*own, *_everywhere()]


def _of(drawn: object) -> Iterator[Slot]:
    """The slots of one draw; other draws, such as section names, have none."""
    if isinstance(drawn, Noun):
        yield from _noun(drawn)
    elif isinstance(drawn, Person):
        yield _person(drawn)
    elif isinstance(drawn, Place):
        yield Slot((("在",), (drawn.zh,)), ((drawn.at,),))
        yield Slot(((drawn.zh,),), ((drawn.to, drawn.at, drawn.en),))
    elif isinstance(drawn, Activity):
        yield _phrase((drawn.verb, drawn.obj), drawn.en)
    elif isinstance(drawn, tuple):
        yield from _texts(drawn)
    elif isinstance(drawn, str) and drawn in NOUN:
        yield from _noun(NOUN[drawn])


def _texts(drawn: tuple[object, ...]) -> Iterator[Slot]:
    """Of a Chinese text and its English, or of several things in one draw."""
    is_phrase = len(drawn) == 2 and all(isinstance(text, str) and text for text in drawn)
    if is_phrase and str(drawn[0]).isalpha() and str(drawn[1]).isascii():  # no greeting of several sentences
        yield _phrase((str(drawn[0]),), str(drawn[1]))
    for each in drawn:
        if not (isinstance(each, tuple) and each and isinstance(each[0], Noun)):  # what a verb may be said of
            yield from _of(each)


def _phrase(parts: tuple[str, ...], text: str) -> Slot:
    """A phrase whose first English word may be inflected as a verb or compared as an adjective."""
    head, _, rest = text.removeprefix("!").partition(" ")
    compared = (english.comparative(head), english.superlative(head)) if head.isalpha() else ()
    inflected = (english.third(head), english.ing(head), english.past(head), english.participle(head))
    heads = tuple(dict.fromkeys((head, *(form for form in inflected if form not in HELPERS), *compared)))
    return Slot(tuple((part,) for part in parts if part), (heads, *([(rest,)] if rest else [])), is_verb=True)


def _noun(noun: Noun) -> Iterator[Slot]:
    """The noun, and the measure word that English has too: a glass of water."""
    yield Slot(((noun.zh,),), (tuple(dict.fromkeys((noun.en, noun.en_many))),))
    if noun.unit:
        units = tuple(dict.fromkeys(text.partition(" of ")[0] for text in (noun.unit, noun.unit_many)))
        yield Slot(((noun.measure,),), (units,))


def _person(person: Person) -> Slot:
    return Slot(((person.zh,),), (tuple(dict.fromkeys((person.en, person.en_object, person.my, person.mine))),))


@cache
def _everywhere() -> tuple[Slot, ...]:
    """Slots of every sentence: persons, small words, numbers, marks, and the lexicon where a topic names an entry."""
    result = [Slot(((mark,),), ((text,),)) for mark, text in MARKS.items()]
    result += map(_person, sorted(PRONOUN.values(), key=lambda person: -len(person.zh)))
    result += map(_person, PEOPLE["name"])
    result += [
        Slot(((word,),), (texts,)) for word, texts in sorted(SMALL_WORDS.items(), key=lambda each: -len(each[0]))
    ]
    result += [Slot((_figures(value),), (_amounts(value),)) for value in range(100, -1, -1)]
    result += [slot for place in PLACE.values() for slot in _of(place)]
    result += [_phrase((time.zh,), time.en) for group in TIMES.values() for time in group]
    result += [slot for group in ACTIVITIES.values() for activity in group for slot in _of(activity)]
    result += [_phrase((verb.zh,), verb.en) for verbs in OBJECTS.values() for verb, _ in verbs]
    result += [slot for noun in NOUN.values() for slot in _noun(noun)]
    return tuple(result)


def _figures(value: int) -> Forms:
    return tuple(dict.fromkeys((number(value).zh, counting(value).zh, str(value))))


def _amounts(value: int) -> Forms:
    return ("one", "a", "an") if value == 1 else (number(value).en,)
