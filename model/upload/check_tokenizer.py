"""The tokenizer of a stranger's checkpoint: one of ours, or one that an import wrote, made of steps that are harmless.

A pattern can take forever over a sentence, and the library that cuts texts fails in ways that cannot be caught where a
step does not fit its text. So only steps of known kinds are taken, with values that do no harm.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput, is_panic
from model.tokenization.imported_tokenizer import (
    FILE,
    FIRST_SPACE,
    OUTER_SPACES_BEFORE,
    SENTENCEPIECE,
    TARGET_FILE,
    TYPED_BYTE,
    ImportedTokenizer,
    literal,
)
from model.tokenization.tokenizer import CHARACTER_LIMIT, SPECIALS, Tokenizer
from model.tokenization.word_patterns import GPT2, LLAMA_3, QWEN

# patterns of known tokenizers; none takes quadratic time but the one of earlier imports, which is replaced when read
PATTERNS = {*SENTENCEPIECE, OUTER_SPACES_BEFORE, *GPT2, LLAMA_3, QWEN}
_STEPS, _LONG, _REPLACED = 16, 8, 64  # of a sequence; characters of a mark; bytes that a character may become
_LIGATURE = 18  # characters that U+FDFA becomes, the most of all, by Unicode and by the tables of sentencepiece
_GROWTH = _LIGATURE**2  # ALBERT: NFKD and a table
_SPELLED = 10_000_000  # characters of all added pieces, as they are looked for
_ADDED, _PIECES, _AROUND = 10_000, 300_000, 16  # pieces beside the model's, pieces in all, pieces around a sentence
_PROBE = "Wo ist das Buch? ☃ 我 1234  \t\n'tis…\U0001f600" * 8
Fits = Callable[[Any], bool]


def check(entry: Entry) -> None:
    """Raise `InvalidInput` for a tokenizer that is none of ours and no harmless one of an import."""
    described = _described(entry.folder / "tokenizer.json")
    if not (entry.folder / FILE).is_file():
        return _check_ours(entry, described)
    fields = {"pair": None, "specials": list(SPECIALS)} | _described(entry.folder / FILE)
    targets = entry.folder / TARGET_FILE
    texts = [described, *([_described(targets)] if targets.is_file() else [])]
    try:
        is_whole = _fits(fields, _VOCABULARY) and all(map(_is_whole, texts))
        is_harmless = is_whole and all(map(_is_harmless, texts))
        if is_harmless:
            _try(ImportedTokenizer.load(entry.folder), texts)
    except BaseException as error:  # the library raises bare Exception for every kind of damage
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        is_whole = False
    if not is_whole:
        raise InvalidInput("checkpoint_tokenizer", name=entry.name)
    if not is_harmless:
        raise InvalidInput("exchange_steps")


def _described(file: Path) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return fields


def _finds_text(described: dict[str, Any], inner: tokenizers.Tokenizer) -> bool:
    """Whether no added piece is looked for as the empty text, at which the library fails in the middle of a text."""
    return inner.normalizer is None or all(map(inner.normalizer.normalize_str, _normalized(described)))


def _normalized(described: dict[str, Any]) -> list[str]:
    """The added pieces that are looked for in the normalized text."""
    return [token["content"] for token in described["added_tokens"] if token["normalized"]]


def _try(tokenizer: ImportedTokenizer, texts: list[dict[str, Any]]) -> None:
    """Cut a text with rare characters, and spell every piece."""
    if not all(map(_finds_text, texts, (tokenizer.inner, tokenizer.target))):
        raise ValueError("an added piece is looked for as the empty text")
    for cut in (tokenizer.pieces, tokenizer.target_pieces):
        tokenizer.decode(cut(_PROBE))
    tokenizer.unknown_characters(_PROBE)
    tokenizer.decode(range(tokenizer.size))
    tokenizer.tokens(range(tokenizer.size))


# ours


def _check_ours(entry: Entry, described: dict[str, Any]) -> None:
    """Only tokenizers that cut as ours do."""
    try:
        cut, vocabulary = _cut(described), described["model"]["vocab"]
        ids = sorted(vocabulary.values())
        longest = max(map(len, vocabulary), default=0)
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInput("checkpoint_tokenizer", name=entry.name) from None
    if ids != list(range(len(ids))) or longest > CHARACTER_LIMIT:
        raise InvalidInput("checkpoint_tokenizer", name=entry.name)
    if cut not in _our_cuts() | _sample_cuts():
        raise InvalidInput("exchange_tokenizer")


def _cut(described: dict[str, Any]) -> str:
    """Everything in a tokenizer.json that is not its vocabulary."""
    model = {key: value for key, value in described["model"].items() if key not in ("vocab", "merges")}
    return json.dumps(described | {"model": model}, sort_keys=True)


@cache
def _our_cuts() -> frozenset[str]:
    text = ["a b"]
    ours = (Tokenizer.train(text, (), 300), Tokenizer.words(text, ()), Tokenizer.characters(text, ()))
    return frozenset(_cut(json.loads(tokenizer.inner.to_str())) for tokenizer in ours)


def _sample_cuts() -> frozenset[str]:
    """Of the checkpoints on this server, which an earlier version may have written."""
    files = (entry.folder / "tokenizer.json" for entry in catalogue.sentence_models().values())
    return frozenset(_cut(_described(file)) for file in files if file.is_file())


# of an import


def _fits(value: object, kind: dict[str, Fits]) -> bool:
    """Whether an object has exactly these keys, with values that fit."""
    return (
        isinstance(value, dict) and value.keys() == kind.keys() and all(fits(value[key]) for key, fits in kind.items())
    )


def _is_text(value: object, longest: int = CHARACTER_LIMIT, least: int = 1) -> bool:
    return isinstance(value, str) and least <= len(value) <= longest


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _is_anything(value: object) -> bool:
    return True


def _or_none(fits: Fits) -> Fits:
    return lambda value: value is None or fits(value)


def _one_of(*values: object) -> Fits:
    return lambda value: value in values


def _list(fits: Fits, most: int) -> Fits:
    return lambda value: isinstance(value, list) and len(value) <= most and all(map(fits, value))


_is_id = partial(_is_count, most=_PIECES)
_is_mark = partial(_is_text, longest=_LONG, least=0)
_TEXTS: dict[str, Fits] = {
    "separator": _is_text, **dict.fromkeys(("before", "between", "after"), _list(_is_id, _AROUND))
}  # fmt: skip
_VOCABULARY: dict[str, Fits] = {
    "pieces": _list(_is_text, _PIECES), "specials": _list(_is_text, len(SPECIALS)),
    "hidden": _list(_is_id, _PIECES), "mask": _or_none(_is_id),
    "before": _list(_is_id, _AROUND), "after": _list(_is_id, _AROUND), "languages": _list(_is_id, 1000),
    "pair": _or_none(lambda value: _fits(value, _TEXTS)),
}  # fmt: skip
_ADDED_TOKEN: dict[str, Fits] = {
    "id": _is_id, "content": _is_text,
    **dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), _is_bool),
}  # fmt: skip


def _is_whole(described: dict[str, Any]) -> bool:
    """Whether a tokenizer.json has its parts, with a vocabulary that its model can read."""
    parts = {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor",
             "decoder", "model"}  # fmt: skip
    model = described.get("model")
    return (
        described.keys() == parts
        and _list(lambda token: _fits(token, _ADDED_TOKEN), _ADDED)(described["added_tokens"])
        and isinstance(model, dict)
        and _has_vocabulary(model)
    )


def _has_vocabulary(model: dict[str, Any]) -> bool:
    vocabulary = model.get("vocab")
    if model.get("type") == "Unigram":
        pieces = _list(lambda row: _is_scored(row), _PIECES)
        return pieces(vocabulary) and _is_id(model.get("unk_id")) and model["unk_id"] < len(vocabulary or ())
    if not isinstance(vocabulary, dict) or not all(map(_is_text, vocabulary)):
        return False
    ids, unknown = [*vocabulary.values()], model.get("unk_token")
    needs = model.get("type") != "BPE" or unknown is not None
    return all(map(_is_id, ids)) and len({*ids}) == len(ids) and (not needs or unknown in vocabulary)


def _is_scored(row: object) -> bool:
    """A piece of the unigram kind with its score."""
    is_row = isinstance(row, list) and len(row) == 2 and _is_text(row[0])
    return is_row and isinstance(row[1], int | float) and isfinite(row[1])  # type: ignore[index]


def _is_pattern(value: object) -> bool:
    if _fits(value, {"String": partial(_is_text, longest=_LONG)}):
        return True
    return _fits(value, {"Regex": lambda pattern: pattern in PATTERNS or _is_literal(pattern)})


def _is_literal(pattern: object) -> bool:
    """Whether a pattern has no more than texts to choose from, as for pieces that are found whole."""
    parts = re.findall(r"(?:\\.|[^\\|])+", pattern, re.DOTALL) if isinstance(pattern, str) else []
    return (
        0 < len(parts) <= _ADDED
        and "|".join(parts) == pattern
        and all(part == TYPED_BYTE or literal(re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL)) == part for part in parts)
    )


def _charsmap(value: object) -> tuple[bytes, bytes]:
    """The trie and the texts of a sentencepiece table of characters; raises ValueError where it is no base64."""
    data = base64.b64decode(str(value), validate=True)
    end = 4 + int.from_bytes(data[:4], "little")
    return data[4:end], data[end:]


def _is_charsmap(value: object) -> bool:
    """Whether a sentencepiece table of characters leads nowhere beyond its ends, and makes no text of a character.

    It is a trie in one array of units, then the texts that characters become, each with a zero byte behind it. A unit
    has a label, an offset to its children, and a bit that says whether a value, the place of a text, is the first.
    """
    try:
        trie, texts = _charsmap(value)
        units = np.frombuffer(trie, "<u4").astype(np.int64)
        starts = {0, *(at + 1 for at, byte in enumerate(texts) if byte == 0)}
        texts.decode("utf-8")
    except ValueError:
        return False
    is_inner = units < 2**31
    is_inner[:1] = True  # the root is followed without a look at its label
    inner = units[is_inner]
    at = np.flatnonzero(is_inner) ^ ((inner >> 10) << ((inner & 512) >> 6))
    if len(trie) % 1024 or not trie or (at | 255).max(initial=0) >= len(units):
        return False
    values = units[at[(inner >> 8) & 1 == 1]] & (2**31 - 1)
    return set(values.tolist()) <= starts and max(map(len, texts.split(b"\0"))) <= _REPLACED


def _plain(*names: str) -> dict[str, dict[str, Fits]]:
    """Steps that have no fields."""
    return {name: {} for name in names}


_BYTE_LEVEL: dict[str, Fits] = dict.fromkeys(("add_prefix_space", "trim_offsets", "use_regex"), _is_bool)
_METASPACE: dict[str, Fits] = {
    "replacement": partial(_is_text, longest=1), "prepend_scheme": _one_of("always", "never", "first"),
    "split": _is_bool,
}  # fmt: skip
_REPLACE: dict[str, Fits] = {"pattern": _is_pattern, "content": _is_mark}
_BEHAVIOUR = _one_of("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
_PAIR: Fits = _list(lambda each: _is_text(each) or _is_id(each), 2)
# by part and kind of step: the fields that it has, with what they may be
KINDS: dict[str, dict[str, dict[str, Fits]]] = {
    "normalizer": {
        **_plain("NFC", "NFD", "NFKC", "NFKD", "Nmt", "Lowercase", "StripAccents", "ByteLevel"),
        "Strip": {"strip_left": _is_bool, "strip_right": _is_bool},
        "Prepend": {"prepend": partial(_is_mark, least=1)},  # the library fails behind an empty one
        "Replace": _REPLACE,
        "Precompiled": {"precompiled_charsmap": _is_charsmap},
        "BertNormalizer": {"clean_text": _is_bool, "handle_chinese_chars": _is_bool,
                           "strip_accents": _or_none(_is_bool), "lowercase": _is_bool},
    },
    "pre_tokenizer": {
        **_plain("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"),
        "ByteLevel": _BYTE_LEVEL,
        "Metaspace": _METASPACE,
        "Punctuation": {"behavior": _BEHAVIOUR},
        "Digits": {"individual_digits": _is_bool},
        "Split": {"pattern": _is_pattern, "behavior": _BEHAVIOUR, "invert": _is_bool},
    },
    "post_processor": {
        "ByteLevel": _BYTE_LEVEL,
        "BertProcessing": {"sep": _PAIR, "cls": _PAIR},
        "RobertaProcessing": {"sep": _PAIR, "cls": _PAIR, "trim_offsets": _is_bool, "add_prefix_space": _is_bool},
        "TemplateProcessing": dict.fromkeys(("single", "pair", "special_tokens"), _is_anything),
    },
    "decoder": {
        **_plain("ByteFallback", "Fuse"),
        "ByteLevel": _BYTE_LEVEL,
        "Metaspace": _METASPACE,
        "WordPiece": {"prefix": _is_mark, "cleanup": _is_bool},
        "BPEDecoder": {"suffix": _is_mark},
        "Replace": _REPLACE,
        # the library fails where it is to take more from an end than there is
        "Strip": {"content": partial(_is_text, longest=1), "start": partial(_is_count, most=1), "stop": _one_of(0)},
    },
}  # fmt: skip
_FEW = partial(_is_count, most=CHARACTER_LIMIT)
_MODELS: dict[str, dict[str, Fits]] = {
    "WordPiece": {"unk_token": _is_text, "continuing_subword_prefix": _is_mark, "max_input_chars_per_word": _FEW},
    "WordLevel": {"unk_token": _is_text},
    "Unigram": {"unk_id": _is_id, "byte_fallback": _is_bool},
    "BPE": {
        "dropout": _one_of(None), "unk_token": _or_none(_is_text),
        "continuing_subword_prefix": _one_of(None, ""),  # the library fails at a piece that is shorter than it
        "end_of_word_suffix": _or_none(_is_mark), "merges": _is_anything,
        **dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), _is_bool),
    },
}  # fmt: skip


def _is_harmless(described: dict[str, Any]) -> bool:
    """Whether every step is of a known kind, and none makes a long text of a short one."""
    model = {key: value for key, value in described["model"].items() if key not in ("type", "vocab")}
    if described["truncation"] is not None or described["padding"] is not None:
        return False
    if not _fits(model, _MODELS.get(str(described["model"].get("type")), {"": _is_anything})):
        return False
    parts = {part: [*_steps(described[part])] for part in KINDS}
    return (
        all(len(steps) <= _STEPS and all(_is_step(part, step) for step in steps) for part, steps in parts.items())
        and _growth(parts["normalizer"]) <= _GROWTH
        and _growth(parts["normalizer"]) * sum(map(len, _normalized(described))) <= _SPELLED
        and _growth(parts["decoder"]) <= _LONG
    )


def _steps(part: Any) -> Iterator[Any]:
    """The steps of a part of the tokenizer; a sequence holds no other one."""
    if isinstance(part, dict) and part.get("type") == "Sequence" and len(part) == 2:
        name = next(key for key in part if key != "type")
        yield from part[name] if isinstance(part[name], list) else [None]
    elif part is not None:
        yield part


def _is_step(part: str, step: Any) -> bool:
    if not isinstance(step, dict) or step.get("type") not in KINDS[part]:
        return False
    return _fits({key: value for key, value in step.items() if key != "type"}, KINDS[part][step["type"]])


def _growth(steps: list[Any]) -> float:
    """How many characters one becomes at most. Steps that do not multiply when repeated are left out."""
    growth = 1.0
    for step in steps:
        if step["type"] in ("NFKC", "NFKD"):
            growth *= _LIGATURE
        elif step["type"] == "ByteLevel":
            growth *= 4  # bytes of a character
        elif step["type"] == "Precompiled":
            growth *= max(1, *(len(text.decode()) for text in _charsmap(step["precompiled_charsmap"])[1].split(b"\0")))
        elif step["type"] == "Replace" and step["pattern"] != {"Regex": FIRST_SPACE}:  # which a text has once
            growth *= max(1, len(step["content"]) / len(step["pattern"].get("String", "x")))
    return growth
