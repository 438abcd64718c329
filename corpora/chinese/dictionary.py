"""The words themselves: every lexicon file read once into tables that the topics draw from."""

from corpora.chinese.english import plural
from corpora.chinese.lexicon import Activity, Noun, Person, Phrase, Place, listed, phrases, sections


def _noun(left: str, right: str, section: str) -> Noun:
    chinese, measure = left.split(" ")
    bare, _, unit = right.partition("; ")
    singular, _, many = bare.partition(", ")
    one, _, units = unit.partition(", ")
    always = singular.endswith("+")
    singular = singular.rstrip("+")
    many = many or (singular if unit else plural(singular))
    return Noun(chinese, measure, singular, many, one, units or (plural(one) if one else ""), always, section)


def _person(left: str, right: str) -> Person:
    english, *rest = listed(right)
    if len(rest) >= 3:
        return Person(left, english, rest[0], rest[1], rest[2], many=rest[-1] == "many", pronoun=True)
    return Person(left, english, english, f"{english}'s", f"{english}'s", many=rest == ["many"])


def _activity(left: str, english: str) -> Activity:
    verb, _, obj = left.partition("|")
    return Activity(verb, obj, english)


def _place(left: str, right: str, section: str) -> Place:
    to, at, *name = (part.strip() for part in right.split("|"))
    return Place(left, to, at, name[0] if name else to.removeprefix("to "), section)


NOUNS = {key: tuple(_noun(*row, key) for row in rows) for key, rows in sections("nouns.txt").items()}
NOUN = {noun.zh: noun for group in NOUNS.values() for noun in group}
_PEOPLE = sections("people.txt")
PEOPLE = {key: tuple(_person(*row) for row in _PEOPLE[key]) for key in ("pronoun", "name", "group")}
PRONOUN = {person.zh: person for person in PEOPLE["pronoun"]}
KINDS = {key: tuple(Phrase(*row) for row in rows) for key, rows in _PEOPLE.items() if key not in PEOPLE}
ACTIVITIES = {key: tuple(_activity(*row) for row in rows) for key, rows in sections("activities.txt").items()}
ACTIVITY = {activity.zh: activity for group in ACTIVITIES.values() for activity in group}
_PLACES = sections("places.txt")
PLACES = {key: tuple(_place(*row, key) for row in _PLACES[key]) for key in ("public", "room", "city", "home")}
PLACE = {place.zh: place for group in PLACES.values() for place in group}
POSITIONS = {key: tuple(Phrase(*row) for row in _PLACES[key]) for key in ("side", "on")}
WHERE = {PLACE[left]: tuple(ACTIVITY[zh] for zh in listed(right)) for left, right in sections("where.txt")[""]}
TIMES = phrases("times.txt")
NAMES = phrases("names.txt")
ADJECTIVES = phrases("adjectives.txt")


def _objects(right: str) -> tuple[Noun, ...]:
    """The nouns of a list of sections and single words."""
    return tuple(noun for word in listed(right) for noun in (NOUNS[word] if word in NOUNS else (NOUN[word],)))


# verb, its English and what one does it to
OBJECTS: dict[str, tuple[tuple[Phrase, tuple[Noun, ...]], ...]] = {
    key: tuple((Phrase(left, right.partition(": ")[0]), _objects(right.partition(": ")[2])) for left, right in rows)
    for key, rows in sections("objects.txt").items()
}
