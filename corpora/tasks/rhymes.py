"""A text of our own for a model that goes on with it: little stories whose names nobody has heard before.

Each story makes up its names and says them again and again. Counting letters does not tell how a new
name goes on; looking back to where it stood before does.
"""

import random

LENGTH = 180_000  # characters
PROMPTS = (
    "Where is Balumo? Balumo is in the",
    "Tirano has a cat. The cat is black. Tirano loves the bl",
    "Good morning, Keluna! says Domiro. Good morning, Do",
    "Sanibo goes to the river. At the ri",
    "One day Rofela meets Mitaru. Mitaru asks Ro",
)
_CONSONANTS = "bdfgklmnprstv"
_VOWELS = "aeiou"
_ANIMALS = ("cat", "dog", "bird", "horse", "mouse", "goat", "duck", "fox")
_COLOURS = ("black", "white", "brown", "red", "grey", "little", "old", "young", "happy", "quiet")
_PLACES = ("garden", "kitchen", "river", "forest", "village", "house", "market", "school", "mountain", "street")
_THINGS = ("apple", "book", "song", "letter", "lamp", "boat", "cake", "flower", "stone", "key")
_DOES = ("sings", "sleeps", "waits", "dances", "works", "reads", "plays", "laughs")
_SAYS = ("says", "asks", "calls", "answers")


def text(seed: int = 0, length: int = LENGTH) -> str:
    """The stories one after the other, at least `length` characters, the same for the same seed."""
    rng = random.Random(f"rhymes/{seed}")
    stories: list[str] = []
    size = 0
    while size < length:
        stories.append(rng.choice(_STORIES)(rng))
        size += len(stories[-1]) + 1
    return " ".join(stories)


def name(rng: random.Random) -> str:
    """Three syllables, such as Balumo: one of 275,000 or so."""
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(3)).capitalize()


def _pet(rng: random.Random) -> str:
    a, animal, colour = name(rng), rng.choice(_ANIMALS), rng.choice(_COLOURS)
    return f"{a} has a {animal}. The {animal} is {colour}. {a} loves the {colour} {animal}."


def _where(rng: random.Random) -> str:
    a, place, does = name(rng), rng.choice(_PLACES), rng.choice(_DOES)
    return f"Where is {a}? {a} is in the {place}. In the {place} {a} {does} and {does}."


def _greeting(rng: random.Random) -> str:
    a, b = name(rng), name(rng)
    time = rng.choice(("morning", "evening", "night", "day"))
    return f"Good {time}, {a}! says {b}. Good {time}, {b}! says {a}."


def _meeting(rng: random.Random) -> str:
    a, b, thing = name(rng), name(rng), rng.choice(_THINGS)
    says = rng.choice(_SAYS)
    return f"One day {a} meets {b}. {b} {says} {a}: Is this your {thing}? Yes, {b}, this is my {thing}."


def _way(rng: random.Random) -> str:
    a, place, animal = name(rng), rng.choice(_PLACES), rng.choice(_ANIMALS)
    return f"{a} goes to the {place}. At the {place} {a} sees a {animal}. The {animal} sees {a}."


def _gift(rng: random.Random) -> str:
    a, b, thing, colour = name(rng), name(rng), rng.choice(_THINGS), rng.choice(_COLOURS)
    return f"{a} gives {b} a {colour} {thing}. Thank you, {a}, for the {colour} {thing}."


def _song(rng: random.Random) -> str:
    a, does = name(rng), rng.choice(_DOES)
    return f"{a}, {a}, who {does} today? {a} {does} today, {a} {does} all day."


_STORIES = (_pet, _where, _greeting, _meeting, _way, _gift, _song)
