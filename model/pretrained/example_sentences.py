"""Sentences for the card of an imported model: usual ones that it can read, else some that are made of its own pieces.

A model of proteins knows no words, and a short window has room for a few tokens alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.decode.translate import encode
from model.errors import InvalidInput
from model.tokenization.token_text import CONTINUES, is_special, without_mark
from model.tokenization.tokenizer import UNK, Tokenizer

_SOURCES = {
    "de": ("Wir gehen heute ins Kino.", "Der Hund schläft auf dem Sofa.", "Wo ist der Bahnhof?"),
    "en": ("We are going to the cinema today.", "The dog sleeps on the sofa.", "Where is the station?"),
    "zh": ("我们今天去看电影。", "小狗睡在沙发上。", "火车站在哪里？"),
    "fr": ("Nous allons au cinéma aujourd'hui.", "Le chien dort sur le canapé.", "Où est la gare ?"),
    "es": ("Hoy vamos al cine.", "El perro duerme en el sofá.", "¿Dónde está la estación?"),
}
_T5 = ("translate English to German: We are going to the cinema.", "translate English to German: The house is small.")
_PROMPTS = ("The capital of France is", "One, two, three, four,", "The cat sat on the mat and the dog sat on the")
_MASKED = ("Paris is the {mask} of France.", "The dog {mask} on the sofa.", "We read a {mask} in the library.")
_QUESTIONS = {  # and the text with the answer
    "en": (
        ("Where does the dog sleep?", "We go to the cinema today. The dog sleeps on the sofa."),
        ("Who sleeps on the sofa?", "The cat is in the garden. The dog sleeps on the sofa."),
    ),
    "zh": (("小狗睡在哪里？", "我们今天去看电影。小狗睡在沙发上。"),),
    "de": (("Wo schläft der Hund?", "Wir gehen heute ins Kino. Der Hund schläft auf dem Sofa."),),
    "es": (("¿Dónde duerme el perro?", "Hoy vamos al cine. El perro duerme en el sofá."),),
}
_MOST = 3  # sentences
_PIECES = 2.5  # of a word or a sign, at most; with more a tokenizer spells a language that it was not made for
_LENGTHS = (8, 5, 3, 2, 1)  # pieces of a sentence of the model's own
_PART = re.compile(r"[一-鿿]|[^\W一-鿿]+|[^\w\s]")  # a word or a sign


def readable(checkpoint: Checkpoint, family: str, language: str) -> list[str]:
    """Sentences that the model can read. Raises `InvalidInput` if none is found."""
    for sentences in (*_usual(checkpoint, family, language), *_own(checkpoint)):
        if fitting := [sentence for sentence in sentences if _fits(checkpoint, sentence)]:
            return fitting
    raise InvalidInput("import_example", limit=readable_tokens(checkpoint.model.config))


def by_language(checkpoint: Checkpoint) -> dict[str, list[str]]:
    """The sentences in each language, by its code, that the tokenizer can read; empty lists are left out."""
    found = {code: [text for text in texts if _fits(checkpoint, text)] for code, texts in _SOURCES.items()}
    return {code: texts for code, texts in found.items() if texts}


def _usual(checkpoint: Checkpoint, family: str, language: str) -> Iterator[Sequence[str]]:
    """Sentences that suit the kind of model, those of its language first; only ones that its tokenizer was made for."""
    mask, separator, config = _mask(checkpoint), checkpoint.tokenizer.separator, checkpoint.model.config
    groups: list[Sequence[str]] = [_SOURCES.get(language, _SOURCES["en"]), *_SOURCES.values()]
    if mask:
        groups = [[text.format(mask=mask) for text in _MASKED]]
    elif separator and config.labels and config.label_kind in ("span", "score"):  # answers and rerankers read two texts
        pairs = [[f" {separator} ".join(pair) for pair in group] for group in _QUESTIONS.values()]
        groups = [*pairs, *groups]
    elif config.architecture == "decoder":
        groups = [_PROMPTS, *_SOURCES.values()]
    elif family == "t5":
        groups = [_T5]
    spells = _spells(checkpoint.tokenizer)
    for sentences in groups:
        yield [sentence for sentence in sentences if spells or _is_known(checkpoint.tokenizer, sentence)]


def _mask(checkpoint: Checkpoint) -> str | None:
    """Mark of a hidden word, where the model fills in words."""
    config = checkpoint.model.config
    return checkpoint.tokenizer.mask if config.architecture == "encoder" and config.target_vocabulary else None


def _fits(checkpoint: Checkpoint, sentence: str) -> bool:
    """Whether no piece is unknown, and a decoder alone can add as much again."""
    try:
        ids = encode(checkpoint, sentence)
    except InvalidInput:
        return False
    config = checkpoint.model.config
    room = readable_tokens(config) // (2 if config.architecture == "decoder" else 1)
    return UNK not in ids and len(ids) <= room


def _is_known(tokenizer: Tokenizer, sentence: str) -> bool:
    """Whether words are cut into few pieces."""
    return len(tokenizer.pieces(sentence)) <= _PIECES * len(_PART.findall(sentence))


def _spells(tokenizer: Tokenizer) -> bool:
    """Whether no piece has two letters, so that every word falls into its letters."""
    return not any(len(word) > 1 for word in _words(tokenizer).values())


def _words(tokenizer: Tokenizer) -> dict[int, str]:
    """The ids whose piece is made of letters, with these."""
    tokens = enumerate(tokenizer.tokens(range(tokenizer.size)))
    words = {id_: without_mark(token) for id_, token in tokens if tokenizer.is_text(id_) and not is_special(token)}
    return {id_: word for id_, word in words.items() if word.isalpha() and not _is_byte(tokenizer, id_, word)}


def _is_byte(tokenizer: Tokenizer, id_: int, word: str) -> bool:
    """Whether the letters are the hexadecimal digits of a byte that is no character by itself."""
    return len(word) == 2 and tokenizer.decode([id_]).strip() != word


def _own(checkpoint: Checkpoint) -> Iterator[list[str]]:
    """Sentences of pieces of the vocabulary, shorter and shorter ones: whole words first, the most frequent of them."""
    tokenizer, mask = checkpoint.tokenizer, _mask(checkpoint)
    words = _words(tokenizer)
    begin = [id_ for id_ in words if not tokenizer.tokens([id_])[0].startswith(CONTINUES)]
    ranked = sorted(begin or words, key=lambda id_: -min(len(words[id_]), 3))  # the order of ids is that of frequency
    for length in _LENGTHS:
        chunks = [ranked[start : start + length] for start in range(0, _MOST * length, length)]
        for apart in (False, True):  # a tokenizer without a decoder does not say where its spaces are
            yield [_sentence(tokenizer, chunk, mask, apart) for chunk in chunks if chunk]


def _sentence(tokenizer: Tokenizer, ids: list[int], mask: str | None, apart: bool) -> str:
    """The text of pieces, a hidden word in the middle where the model fills in words."""
    half = len(ids) // 2
    parts = [ids[:half], ids[half:]] if mask else [ids]
    texts = [" ".join(tokenizer.decode([id_]) for id_ in part) if apart else tokenizer.decode(part) for part in parts]
    return f" {mask} ".join(texts).strip()
