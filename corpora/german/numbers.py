"""Numbers in words, 0 to 100, then round hundreds."""

from corpora.german.lexicon import Phrase

ONES = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"]
EN_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
EN_TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def number(value: int) -> Phrase:
    """21 -> einundzwanzig, twenty-one."""
    if value >= 100:
        hundreds, rest = divmod(value, 100)
        if rest:  # prices are round above a hundred
            return number(value - rest)
        return Phrase((ONES[hundreds] if hundreds > 1 else "") + "hundert", f"{EN_ONES[hundreds]} hundred")
    if value <= 12:
        return Phrase(ONES[value], EN_ONES[value])
    ten, one = divmod(value, 10)
    if ten == 1:
        return Phrase({"sechs": "sech", "sieben": "sieb"}.get(ONES[one], ONES[one]) + "zehn", EN_TEENS[one - 3])
    if not one:
        return Phrase(TENS[ten - 2], EN_TENS[ten - 2])
    left = "ein" if one == 1 else ONES[one]
    return Phrase(f"{left}und{TENS[ten - 2]}", f"{EN_TENS[ten - 2]}-{EN_ONES[one]}")
