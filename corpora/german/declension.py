"""German noun phrases: article, adjective and noun in gender, number and case, with their English."""

from dataclasses import dataclass
from typing import Literal

from corpora.german.lexicon import Noun, Phrase
from corpora.german.phrases import pairs

Case = Literal["nom", "acc", "dat"]
Determiner = str  # "der", "ein", "kein", "dieser", "welcher", "" (none) or a possessive stem: "mein", "ihr", "euer"

# Columns: masculine, feminine, neuter, plural.
COLUMN = {"m": 0, "f": 1, "n": 2, "p": 3}
DEFINITE = {"nom": "der die das die", "acc": "den die das die", "dat": "dem der dem den"}
STRONG = {"nom": "er e es e", "acc": "en e es e", "dat": "em er em en"}
MIXED = {"nom": "- e - e", "acc": "en e - e", "dat": "em er em en"}  # after ein-, mein-
ADJECTIVE_WEAK = {"nom": "e e e en", "acc": "en e e en", "dat": "en en en en"}
ADJECTIVE_MIXED = {"nom": "er e es en", "acc": "en e es en", "dat": "en en en en"}

POSSESSIVES = pairs("declension.possessives")
ENGLISH = {"der": "the", "dieser": "this", "welcher": "which", "kein": "no", "": ""} | POSSESSIVES
SPECIAL_STEM = {"teuer": "teur", "dunkel": "dunkl"}


def cell(table: dict[str, str], case: Case, column: int) -> str:
    """An ending of a table, "-" read as none."""
    return table[case].split()[column].strip("-")


def determiner(kind: Determiner, case: Case, number_gender: str) -> str:
    """der -> dem, mein -> meinen, euer -> eure; nothing before a plural `ein`."""
    column = COLUMN[number_gender]
    if kind == "der":
        return cell(DEFINITE, case, column)
    if kind in ("dieser", "welcher"):
        return kind[:-2] + cell(STRONG, case, column)
    if not kind or (kind == "ein" and number_gender == "p"):
        return ""
    kind = kind.removesuffix("-pl")
    ending = cell(MIXED, case, column)
    return ("eur" if kind == "euer" and ending else kind) + ending


def adjective(base: str, kind: Determiner, case: Case, number_gender: str) -> str:
    """The attributive form: (alt, der, acc, m) -> alten."""
    column = COLUMN[number_gender]
    if kind in ("der", "dieser", "welcher"):
        ending = cell(ADJECTIVE_WEAK, case, column)
    elif not kind or (kind == "ein" and number_gender == "p"):
        ending = cell(STRONG, case, column)
    else:
        ending = cell(ADJECTIVE_MIXED, case, column)
    if base == "hoch":
        base = "hoh"
    return SPECIAL_STEM.get(base, base).removesuffix("e") + ending


def noun_form(noun: Noun, case: Case, plural: bool) -> str:
    """den Kindern, den Studenten, dem Mann."""
    if plural:
        return noun.plural + ("n" if case == "dat" and noun.plural[-1] not in "ns" else "")
    if noun.weak and case != "nom":
        return noun.singular + ("n" if noun.singular.endswith("e") or noun.singular == "Nachbar" else "en")
    return noun.singular


def article_en(following: str) -> str:
    """a or an, by sound."""
    silent = following.startswith(("hour", "honest"))
    has_consonant = following.startswith(("uni", "use", "Eu", "one"))
    return "an" if silent or (following[0].lower() in "aeiou" and not has_consonant) else "a"


@dataclass(frozen=True)
class NounPhrase:
    """A noun phrase, ready for use; `plural` and `en_plural` say which verb form it takes."""

    de: str
    en: str
    plural: bool
    en_plural: bool


def noun_phrase(
    noun: Noun, kind: Determiner, case: Case, *, plural: bool = False, adj: Phrase | None = None
) -> NounPhrase:
    """Decline a noun with its determiner and at most one adjective."""
    plural = plural or not noun.singular
    shape = "p" if plural else noun.gender
    words = [determiner(kind, case, shape)]
    if adj:
        words.append(adjective(adj.de, kind, case, shape))
    words.append(noun_form(noun, case, plural))
    en_noun = noun.en_plural if plural else noun.en
    en_plural = noun.en_always_plural or (plural and not noun.en_mass)
    en_words = f"{adj.en} {en_noun}" if adj else en_noun
    if kind == "ein":
        english = en_words if en_plural or noun.en_mass else f"{article_en(en_words)} {en_words}"
    else:
        first = "these" if kind == "dieser" and en_plural else ENGLISH[kind]
        english = f"{first} {en_words}"
    return NounPhrase(" ".join(word for word in words if word), english.strip(), plural, en_plural)
