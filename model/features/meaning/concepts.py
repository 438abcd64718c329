"""Names and wishes that are looked for in the dictionaries of our checkpoints, each as a pattern of sentences.

A concept's pattern marks tokens: those of its first group, or of the whole match. A feature gets the name if it is
active at those tokens and at few others; `naming` measures it. Names and wishes are keys of the page's texts.
"""

from __future__ import annotations

from model.features.meaning.steering import Wish

_WHO = "mir|dir|ihm|ihr|uns|euch|Ihnen"
_LIKE = "gefällt|gefallen|schmeckt|schmecken"
_DAYS = "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag"
CONCEPTS: dict[str, dict[str, str]] = {
    "de-en": {
        "who_likes": rf"(?:{_LIKE}) ({_WHO})\b",
        "liking": r"\b(gefällt|gefallen|schmeckt|schmecken)\b",
        "would_like": r"\b([Mm]öchte\w*|[Ww]ürde\w*)",
        "can": r"\b([Kk]ann(?:st)?|[Kk]önn(?:en|t))\b",
        "must": r"\b([Mm]uss(?:t)?|[Mm]üss(?:en|t))\b",
        "want": r"\b([Ww]ill(?:st)?|[Ww]oll(?:en|t))\b",
        "not": r"\b(nicht)\b",
        "no": r"\b([Kk]ein\w*)",
        "weekday": rf"\b({_DAYS})",
        "because": r"\b(weil)\b",
        "please": r"\b([Bb]itte)\b",
        "where": r"\b(Wo)\b",
        "gladly": r"\b(gern)\b",
        "was": r"\b([Ww]ar|[Ww]aren|[Ww]arst)\b",
        "your_formal": r"\b(Ihr\w*)\b",
        "today": r"\b([Hh]eute)\b",
        "than": r"er (als)\b",
        "question": r"(\?)",
        "family": r"\b(Mutter|Vater|Bruder|Schwester|Eltern)\b",
        "oneself": r"\b(sich)\b",
    },
    "zh-en": {
        "not": r"(不)",
        "not_yet": r"(没)",
        "question": r"(吗)",
        "what": r"(什么)",
        "where": r"(哪里|哪儿)",
        "who": r"(谁)",
        "plural": r"(们)",
        "liking": r"(喜欢)",
        "want": r"(想)",
        "can": r"(可以|能)",
        "more_than": r"(比)",
        "because": r"(因为)",
        "measure_word": r"[一两三四五六七八九十这那几](个|本|张|条|件|杯|位|只|家)",
        "today": r"(今天)",
        "tomorrow": r"(明天)",
        "yesterday": r"(昨天)",
        "done": r"(了)",
        "very": r"(很)",
        "please": r"(请)",
        "money": r"(钱)",
    },
    "es-en": {
        "who_likes": r"\b(me|te|le|nos|os|les) (?:gust|encant)",
        "liking": r"\b((?:gust|encant)\w+)\b",
        "would_like": r"\b([Qq]uisier\w+|[Gg]ustaría\w*)",
        "can": r"\b([Pp]ued\w+|[Pp]odemos|[Pp]odéis)\b",
        "must": r"\b([Dd]eb\w+|[Tt](?:engo|ienes?|enemos|enéis|ienen) que)\b",
        "want": r"\b([Qq]uier\w+|[Qq]ueremos|[Qq]ueréis)\b",
        "not": r"\b([Nn]o)\b",
        "weekday": r"\b(lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b",
        "because": r"\b(porque)\b",
        "please": r"\b(por favor)\b",
        "where": r"\b([Dd]ónde|[Aa]dónde)\b",
        "what": r"\b([Qq]ué)\b",
        "who": r"\b([Qq]uién(?:es)?)\b",
        "was": r"\b([Ee]ra\w*|[Ee]staba\w*)\b",
        "today": r"\b([Hh]oy)\b",
        "tomorrow": r"\b([Mm]añana)\b",
        "than": r"\b(?:más|menos) \w+ (que)\b",
        "question": r"([¿?])",
        "family": r"\b(madre|padre|hermanos?|hermanas?|padres)\b",
        "very": r"\b([Mm]uy)\b",
    },
    "dates": {
        "weekday": r"(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day",
        "ordinal": r"\d(st|nd|rd|th)\b",
        "year_sign": r"(年)",
        "month_sign": r"(月)",
        "day_sign": r"([日号])",
        "last_digit": r"\d\d\d(\d)$",
        "century": r"\b(19|20)\d\d\b",
        "point": r"(\.)",
        "slash": r"(/)",
        "zero": r"(〇)",
        "ten": r"(十)",
        "march": r"(M[aä]r)",
        "december": r"(De[cz])",
        "comma": r"(,)",
    },
    "addition": {
        **{f"first_ones_{digit}": rf"({digit})\+" for digit in "0379"},
        **{f"second_ones_{digit}": rf"({digit})$" for digit in "0379"},
        **{f"first_hundreds_{digit}": rf"^({digit})\d\d\+" for digit in "159"},
        **{f"second_hundreds_{digit}": rf"\+({digit})\d\d$" for digit in "159"},
        "plus": r"(\+)",
    },
}
WISHES: dict[str, tuple[Wish, ...]] = {
    "de-en": (
        Wish(
            "polite",
            r"\b[Ww](ill|ollen|illst|ollt)\b",
            r"\b([Mm]öchte\w*)",
            r"\bwould like\b",
            r"\b([Ww](?:ill|ollen|illst|ollt))\b",
        ),
        Wish(
            "another_likes",
            rf"(?:{_LIKE}) mir\b",
            rf"(?:{_LIKE}) (ihm)\b",
            r"\bHe (likes|doesn't like)\b",
            r"\b(mir)\b",
        ),
        Wish(
            "you_like",
            rf"(?:{_LIKE}) mir\b",
            rf"(?:{_LIKE}) (dir)\b",
            r"\b([Yy]ou like|[Yy]ou don't like)\b",
            r"\b(mir)\b",
        ),
        Wish("tomorrow", r"\b[Hh]eute\b", r"\b[Mm]orgen\b", r"\b[Tt]omorrow\b", r"\b([Hh]eute)\b"),
        Wish("friday", r"\bMontag\b", r"\bFreitag\b", r"\bFriday\b", r"\b(Montag)\b"),
        Wish(
            "must",
            r"^(Ich|Wir|Er|Sie) (kann|können|will|wollen) ",
            r"\b[Mm]uss|[Mm]üssen",
            r"\b(must|have to|has to)\b",
        ),
        Wish("not", r"^(Ich|Wir|Er|Sie|Das) \w+ [^?]*\.$", r"\bnicht\b|\b[Kk]ein", r"n't\b|\bnot\b"),
    ),
    "zh-en": (
        Wish("not", r"^[我他她你]们?[^？]*。$", r"不", r"n't\b|\bnot\b"),
        Wish("question", r"^[我他她你]们?[^？]*。$", r"吗？", r"\?$"),
        Wish("want", r"^[我他她]们?[^？想]*。$", r"想", r"\bwants? to\b|\bwould like to\b"),
        Wish("plural", r"^[我他她][^们？]*。$", r"^[我他她]们", r"^(We|They)\b"),
        Wish("tomorrow", r"今天", r"明天", r"\b[Tt]omorrow\b", r"(今天)"),
        Wish("not_liking", r"[我你他她]喜欢", r"不喜欢", r"n't like"),
    ),
    "es-en": (
        Wish(
            "polite",
            r"\b[Qq]uier(o|e|es|en)\b",
            r"\b([Qq]uisiera\w*|[Gg]ustaría)\b",
            r"\bwould like\b",
            r"\b([Qq]uier\w+)\b",
        ),
        Wish(
            "another_likes", r"\b[Mm]e gusta", r"\b([Ll]e) gusta", r"\b(He|She) (likes|doesn't like)\b", r"\b([Mm]e)\b"
        ),
        Wish("you_like", r"\b[Mm]e gusta", r"\b([Tt]e) gusta", r"\b([Yy]ou like|[Yy]ou don't like)\b", r"\b([Mm]e)\b"),
        Wish("tomorrow", r"\b[Hh]oy\b", r"\b[Mm]añana\b", r"\b[Tt]omorrow\b", r"\b([Hh]oy)\b"),
        Wish("friday", r"\blunes\b", r"\bviernes\b", r"\bFriday\b", r"\b(lunes)\b"),
        Wish("not", r"^(?!No\b)[^¿?]*\.$", r"\b[Nn]o\b", r"n't\b|\bnot\b"),
    ),
    "dates": (
        Wish("day_9", r"\b[1-8] [A-Z]", r"\b9 [A-Z]", r"-09$", r"\b(\d) [A-Z]"),
        Wish("year_9", r"[a-z].*\d\d\d[0-8]$", r"\d\d\d9$", r"^\d\d\d9-", r"(\d)$"),
    ),
    "addition": (
        Wish("nine_hundred", r"^[1-8]\d\d\+\d\d?$", r"^9\d\d\+", r"^(9\d\d|10\d\d)$", r"^(\d)\d\d\+", kept=20.0),
        Wish("ends_in_9", r"^\d*0\+\d*0$", r"\+\d*9$", r"9$", r"(\d)$", kept=20.0),
    ),
}
