"""Pinyin, which is Chinese in Latin letters: with marks of tones (nǐ hǎo), with figures (ni3 hao3) or without."""

import re
import unicodedata

# initials: the finals that follow one of them
_FINALS = {
    "": "a ai an ang ao e ei en eng er o ou",
    "b": "a ai an ang ao ei en eng i ian iao ie in ing o u",
    "p": "a ai an ang ao ei en eng i ian iao ie in ing o ou u",
    "m": "a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u",
    "f": "a an ang ei en eng o ou u",
    "d": "a ai an ang ao e ei en eng i ia ian iao ie ing iu ong ou u uan ui un uo",
    "t": "a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo",
    "n l": "a ai an ang ao e ei en eng i ia ian iang iao ie in ing iu ong ou u uan un uo v ve ue",
    "g k h": "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
    "j q x": "i ia ian iang iao ie in ing iong iu u uan ue un",
    "zh ch sh": "a ai an ang ao e ei en eng i ong ou u ua uai uan uang ui un uo",
    "r": "an ang ao e en eng i ong ou u uan ui un uo",
    "z c s": "a ai an ang ao e ei en eng i ong ou u uan ui un uo",
    "y": "a an ang ao e i in ing o ong ou u uan ue un",
    "w": "a ai an ang ei en eng o u",
}
_SYLLABLES = [f"(?:{'|'.join(first.split())})(?:{'|'.join(rest.split())})" for first, rest in _FINALS.items()]
_WORD = re.compile(f"(?:(?:{'|'.join(_SYLLABLES)})[1-5]?)+", re.IGNORECASE)


def is_pinyin(word: str) -> bool:
    """Whether a word can be pinyin; some English and German words can be too, such as `men`."""
    plain = unicodedata.normalize("NFD", word).replace("u\N{COMBINING DIAERESIS}", "v")
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return bool(_WORD.fullmatch(letters))
