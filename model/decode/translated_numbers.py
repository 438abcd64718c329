"""Numbers of a sentence against those of its English translation."""

import calendar
import re
from collections.abc import Iterator

from corpora.numerals import ONES, ORDINALS, TENS, number, numerals, ordinal

_MONTHS = tuple(calendar.month_name)  # from 1; English where no locale is set
_THOUSANDS = re.compile(r"(?<=\d)[., ](?=\d{3}(?!\d))")
_BEFORE = re.compile(r"\b(?:quarter|twenty|ten|five) to\b", re.IGNORECASE)  # 13:45 is a quarter to two
# what else English says for a number
_ALSO = {
    0: ("midnight", "no"),
    1: ("a", "an", "once", "each", "every", "per"),
    2: ("twice", "both", "couple", "pair"),
    12: ("noon", "midnight", "dozen"),
    15: ("quarter",),
    30: ("half",),
    45: ("quarter",),
}
_COUNT = rf"(?:{'|'.join([*ONES, *filter(None, TENS), *ORDINALS.values()])})\b"  # with which a number goes on
_JIN, _KILOS = re.compile(r"[\d零一二两三四五六七八九十百]+斤"), re.compile(r"\bkilo", re.IGNORECASE)
_AFTERNOON = range(13, 24)  # hours that English counts from one again
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})\b")
_ROUND = (0, 15, 30, 45)  # minutes that a sentence says in words: half past, a quarter to
_DECADE = re.compile(r"\b\d{2}(\d0)s\b")
_GERMAN = (
    r"null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:zwan|vier|fünf|sech|sieb|acht|neun)zig|"
    "dreißig|hundert|tausend|beide|paar|halb|viertel|dritt"
)
_SPANISH = (
    r"\b(?:cero|un|una?s?|unos?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci|"
    "veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|mil|medi[ao]|cuart|primer|segund|tercer|"
    "quint|par|docena|ambos)"
)
_NUMBER_WORDS = {
    "zh": "[零〇一二两俩三仨四五六七八九十廿卅百千万亿半刻]",
    "de": _GERMAN,
    "es": _SPANISH,
}


def lost_numbers(source: str, english: str, language: str) -> tuple[str, ...]:
    """The numbers of a sentence, as they stand there, that the English says neither in figures nor in words.

    Of Chinese, numerals before a measure word count too, but for 一, which English often leaves out.
    """
    source, english = _without_commas(source), _without_commas(english)
    figures = {value for _, value in _in_figures(english)} | _hours(english) | _decades(english)
    source = _JIN.sub(lambda amount: "" if _is_said_in_kilos(amount[0], figures, english) else amount[0], source)
    numbers = _in_figures(source)
    if language == "zh":
        numbers += [(numeral, value) for numeral, value in numerals(source) if value != 1]
    return tuple(
        dict.fromkeys(
            numeral
            for numeral, value in numbers
            if not any(_is_said(each, figures, english) for each in _readings(value, english))
        )
    )


def new_numbers(source: str, english: str, language: str) -> tuple[str, ...]:
    """The figures of the English that its sentence does not have.

    None where the sentence says a number in words, or is in a language whose numbers we do not know.
    """
    in_words = _NUMBER_WORDS.get(language)
    if in_words is None or re.search(in_words, source, re.IGNORECASE):
        return ()
    source, english = _without_commas(source), _without_commas(english)
    values = {value for _, value in _in_figures(source)}
    english = _CLOCK.sub(lambda time: time[0] if values.isdisjoint(_meant(time)) else _odd_minutes(time), english)
    english = _DECADE.sub(lambda decade: "" if int(decade[1]) in values else decade[0], english)
    known = {figure for value in values for reading in _readings(value, english) for figure in _figures(reading)}
    return tuple(dict.fromkeys(figure for figure, value in _in_figures(english) if value not in known))


def _meant(time: re.Match[str]) -> set[int]:
    """The hours that a sentence may say for 7:30: 7, 19, and in German half 8."""
    hour = int(time[1])
    return {hour, (hour + 12) % 24, *((hour + 1, (hour + 13) % 24) if int(time[2]) >= 30 else ())}


def _hours(english: str) -> set[int]:
    return {hour for time in _CLOCK.finditer(english) for hour in _meant(time)}


def _odd_minutes(time: re.Match[str]) -> str:
    """What is left to look for of a time whose hour the sentence says."""
    return "" if int(time[2]) in _ROUND else time[2]


def _decades(english: str) -> set[int]:
    """The decades as a sentence may say them: 90 for 1990s."""
    return {int(decade[1]) for decade in _DECADE.finditer(english)}


def _without_commas(text: str) -> str:
    """1,000 as 1000."""
    return _THOUSANDS.sub("", text)


def _in_figures(text: str) -> list[tuple[str, int]]:
    """The numbers in figures, as they stand there, and their values."""
    return [(figure, int(figure)) for figure in re.findall(r"\d+", text)]


def _readings(value: int, english: str) -> tuple[int, ...]:
    """The number; where English tells the time from the next hour, that and the minutes before it."""
    if not _BEFORE.search(english):
        return (value,)
    return (value, *((value + 1,) if value < 24 else ()), *((60 - value,) if 30 < value < 60 else ()))


def _is_said(value: int, figures: set[int], english: str) -> bool:
    return bool(figures & set(_figures(value))) or any(_says(english, words) for words in _words(value))


def _is_said_in_kilos(amount: str, figures: set[int], english: str) -> bool:
    """Whether English says so many 斤, of half a kilo each; the half of an odd number is not looked for."""
    values = [value for _, value in (*_in_figures(amount), *numerals(amount))]
    if not values or not _KILOS.search(english):
        return False
    return "half" in english.lower() if values[0] == 1 else _is_said(values[0] // 2, figures, english)


def _figures(value: int) -> tuple[int, ...]:
    """A number as English writes it: 17 Uhr is 5 pm, too."""
    return (value, value - 12) if value in _AFTERNOON else (value,)


def _says(english: str, words: str) -> bool:
    """Whether these words stand in the text, and not as a part of another number: fifty-eight, one hundred and two."""
    return bool(re.search(rf"(?<![\w-]){words}(?!\w|-{_COUNT}|(?<=hundred) (?:and )?{_COUNT})", english, re.IGNORECASE))


def _words(value: int) -> Iterator[str]:
    """How English says a number: as a count, a day, a month, an hour of the afternoon."""
    for reading in _figures(value):
        if reading < 1000 or reading in range(1000, 10_000, 1000):
            said = number(reading).en  # also: a hundred ten
            yield re.sub("^one (?=hundred|thousand)", "(?:one|a) ", said).replace(" and ", " (?:and )?")
    if value < 100:
        yield ordinal(value)
    if 1 <= value <= 12:
        yield _MONTHS[value]
    yield from _ALSO.get(value, ())
