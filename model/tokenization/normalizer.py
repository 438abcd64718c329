"""One spelling for what users type in several ways, before text is cut into tokens.

It is stored in `tokenizer.json`, so that every library that reads the file reads a sentence the same way.
"""

import re

from tokenizers import Regex, normalizers

HAN = r"\p{Han}"
# a narrow mark beside a Chinese character becomes the Chinese one: NFKC makes both the same
WIDE = {",": "，", ".": "。", "?": "？", "!": "！", ":": "：", ";": "；", "(": "（", ")": "）"}
CHINESE_MARKS = "".join(WIDE.values()) + "、…《》·"
# a word keeps its space mark after an opening quote or bracket, so that it is the same token as elsewhere
_AFTER_OPENING = rf"""(?<=^["'(]|\s["'(])(?!{HAN})(?=\w)"""
_MARK = f"[{re.escape(''.join((*WIDE, *WIDE.values())))}…]"
# also after marks that stand after a character: both of 好!! are Chinese. Its engine wants lengths in a lookbehind
_AFTER_HAN = rf"(?<={HAN}|{HAN} |{HAN}{_MARK}|{HAN}{_MARK}{{2}}|{HAN}{_MARK}{{3}})"
_BEFORE_HAN = rf"""(?= ?["'(]*{HAN})"""


def normalizer() -> normalizers.Sequence:
    """The changes that a tokenizer makes to a text first. Doing them twice changes nothing more."""
    return normalizers.Sequence(
        [
            normalizers.Replace("´", "'"),  # NFKC would make a space of it
            normalizers.NFKC(),  # ＡＢ０１ and ：（）￥ become AB01 and :()¥
            normalizers.Replace(Regex("[’‘‚`]"), "'"),
            normalizers.Replace(Regex("[„“”«»「」『』]"), '"'),
            normalizers.Replace(Regex("[‐−]"), "-"),
            normalizers.Replace(Regex("[—―─]+"), "—"),
            normalizers.Replace(Regex("[•・‧∙]"), "·"),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Strip(),
            normalizers.Replace(Regex(_AFTER_OPENING), " "),
            normalizers.Replace(Regex("。{2,}"), "..."),
            normalizers.Replace(Regex(rf"{_AFTER_HAN}\.{{2,}}|\.{{2,}}{_BEFORE_HAN}"), "…"),
            *(_widened(narrow, wide) for narrow, wide in WIDE.items()),
        ]
    )


def _widened(narrow: str, wide: str) -> normalizers.Replace:
    mark = re.escape(narrow)
    return normalizers.Replace(Regex(rf"{_AFTER_HAN}{mark}|{mark}{_BEFORE_HAN}"), wide)
