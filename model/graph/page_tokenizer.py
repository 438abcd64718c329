"""A tokenizer for a page: the checkpoint's own `tokenizer.json`, and what `Tokenizer` knows beside it.

The page reads the file with the JavaScript of the library that wrote it. What our classes add in Python goes along as
data: how each token is shown, which ids surround a sentence, which words training showed.
"""

import json
import re
from dataclasses import asdict
from typing import Any

from model.tokenization.imported_tokenizer import LANGUAGE, ImportedTokenizer, literal
from model.tokenization.tokenizer import OPENED, SPACE, Tokenizer

_HAN = (0x4E00, 0xA000)  # Chinese characters; of all others that Unicode takes for a number, JavaScript knows it too


def tokenizer_file(tokenizer: Tokenizer) -> dict[str, Any]:
    """The fields of tokenizer.json as a page reads it, spelled so that the library for JavaScript does the same."""
    return _for_page(tokenizer.inner.to_str())


def target_file(tokenizer: Tokenizer) -> dict[str, Any] | None:
    """The same for outputs, where another tokenizer cuts and joins them."""
    if isinstance(tokenizer, ImportedTokenizer) and tokenizer.target is not tokenizer.inner:
        return _for_page(tokenizer.target.to_str())
    return None


def is_equal(tokenizer: Tokenizer) -> bool:
    """Whether the library for JavaScript can cut a text in the same way.

    It knows no bytes in a unigram model, and a page finds added pieces only in a text as it is typed.
    """
    fields = json.loads(tokenizer.inner.to_str())
    in_bytes = fields["model"]["type"] == "Unigram" and fields["model"].get("byte_fallback", False)
    normalized = fields["normalizer"] and any(token["normalized"] for token in _added(tokenizer))
    return not (in_bytes or normalized)


def _added(tokenizer: Tokenizer) -> list[dict[str, Any]]:
    """The pieces that are found whole in a text; the longest come first, as the library takes them."""
    added = [token for token in json.loads(tokenizer.inner.to_str())["added_tokens"] if not token["special"]]
    return sorted(added, key=lambda token: -len(token["content"]))


def _whole(token: dict[str, Any]) -> str:
    """The pattern of such a piece, with the spaces that it takes."""
    found = r"\s*" * token["lstrip"] + literal(token["content"]) + r"\s*" * token["rstrip"]
    return rf"(?<![\p{{L}}\p{{N}}_]){found}(?![\p{{L}}\p{{N}}_])" if token["single_word"] else found


def _for_page(text: str) -> dict[str, Any]:
    """`<eos>` in a text is text, so no token is found before the text is cut."""
    fields = json.loads(text)
    steps = {name: _spelled(fields[name]) for name in ("normalizer", "pre_tokenizer")}
    return fields | {"added_tokens": [], "post_processor": None} | steps


def _spelled(step: dict[str, Any] | None) -> dict[str, Any] | None:
    """The same step by patterns where the other library does less: it cuts at no space, and knows other spaces."""
    if step is None:
        return None
    for parts in ("normalizers", "pretokenizers"):
        if parts in step:
            return step | {parts: [_spelled(each) for each in step[parts]]}
    if step["type"] == "Strip":
        ends = [r"\A\s+"] * step["strip_left"] + [r"\s+\z"] * step["strip_right"]
        return {"type": "Replace", "pattern": {"Regex": "|".join(ends)}, "content": ""}
    if step["type"] == "Metaspace" and step.get("split", True):
        space = re.escape(step["replacement"])
        cut = {"type": "Split", "pattern": {"Regex": f"{space}[^{space}]*"}, "behavior": "Isolated", "invert": False}
        return {"type": "Sequence", "pretokenizers": [step, cut]}
    return step


def token_table(tokenizer: Tokenizer) -> dict[str, Any]:
    """Facts of the tokens that a page needs beside the tokenizer's file.

    pieces     the token of each id as it is stored; the page looks ids up here
    shown      each as a user sees it, where it does not begin a text
    hidden     ids that are not part of a text
    before     ids before a sentence, `after` those behind it
    pair       how two texts are read as one, as of `imported_tokenizer.Pair`; null where a model reads no two
    mask       what stands for a hidden word, and the id that is read for it; null if there is none
    whole      [pattern, piece] of the pieces that are found whole in a text, before it is cut
    joined     [pattern, replacement] of the text of joined pieces, in turn; null where the file's decoder joins them
    language   the pattern of a language's name before a text that is one token; null if there are none
    seen       source words of the training, null if they are not known or every token is a character
    numerals   characters beside digits of which a number is written
    unread     whether a character that no token holds is read as `<unk>`
    """
    is_imported = isinstance(tokenizer, ImportedTokenizer)
    ids = range(tokenizer.size)
    return {
        "pieces": [tokenizer.piece(id_) for id_ in ids],
        "shown": [tokenizer.tokens([id_])[0] for id_ in ids],
        "hidden": [id_ for id_ in ids if not tokenizer.is_text(id_)],
        "before": tokenizer.before,
        "after": tokenizer.after,
        "pair": asdict(tokenizer.pair) if isinstance(tokenizer, ImportedTokenizer) and tokenizer.pair else None,
        "mask": None if tokenizer.mask_id is None else {"text": tokenizer.mask, "id": tokenizer.mask_id},
        "whole": [(_whole(token), token["content"]) for token in _added(tokenizer)] if is_imported else [],
        "joined": None if is_imported else _joined(tokenizer),
        "language": LANGUAGE.pattern if is_imported else None,
        "seen": sorted(tokenizer.seen) if tokenizer.knows_training and not tokenizer.spells else None,
        "numerals": "".join(filter(str.isnumeric, map(chr, range(*_HAN)))),
        "unread": not is_imported,
    }


def _joined(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    """As `Tokenizer.decode` does it; JavaScript spells a group in a replacement with $."""
    after_opening = [] if tokenizer.whole else [(OPENED.pattern, "$1")]
    return [*after_opening, (SPACE, " ")]
