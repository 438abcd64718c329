"""The card of an imported model: what it does, whose it is, examples, and a recorded pass of the first."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from model.build import cards, first_head
from model.checkpoint import card_fields, catalogue
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import InvalidInput
from model.initial_weights import count_parameters
from model.pretrained import example_sentences
from model.pretrained.folder import CONFIG, Folder
from model.pretrained.proof import Proof
from model.tokenization.imported_tokenizer import ImportedTokenizer

_TASKS = {"encoder-decoder": "text-to-text", "decoder": "text-generation"}


@dataclass(frozen=True)
class Origin:
    """Where a model comes from: its name (`Helsinki-NLP/opus-mt-de-en`, or a folder's) and revision, if known.

    left_out   heads of the original that were not imported
    """

    name: str
    revision: str = ""
    left_out: tuple[str, ...] = ()


def write(
    entry: Entry,
    checkpoint: Checkpoint,
    folder: Folder,
    origin: Origin,
    examples: Sequence[str],
    prove: Callable[[Sequence[str]], Proof | None],
) -> None:
    """Write card.json, card.md and example.npz. Raises `InvalidInput` if the model fails on its own first example.

    prove   compares it with the original over the examples, if that is possible
    """
    about, fields = folder.about(), folder.json(CONFIG)
    languages = _languages(origin.name, str(fields.get("_name_or_path", "")), about.get("language", []))
    family = str(fields["model_type"])
    told = _told(checkpoint)
    if told:
        languages = [told["source_language"], told["target_language"]]
    translates = bool(told) or (family == "marian" and len(languages) == 2)
    language = languages[0] if translates else "en"
    sentences = list(examples) or example_sentences.readable(checkpoint, family, language)
    first = translate(checkpoint, sentences[0])
    values = first.trace.values
    if not np.isfinite(values["logits"] if "logits" in values else values["encoder.output"]).all():
        raise InvalidInput("import_overflow")
    proof = prove(sentences)
    first.trace.save(entry.folder / "example.npz")
    sides = dict(zip(("source_language", "target_language"), languages, strict=False)) if translates else {}
    card: dict[str, Any] = {
        "task": "translation" if translates else _task(checkpoint),
        **sides,
        **told,
        "imported": {
            "family": family,
            "source": origin.name,
            "revision": origin.revision,
            "licence": ", ".join(about.get("license", [])) or card_fields.UNKNOWN_LICENCE,
            **({"left_out": list(origin.left_out)} if origin.left_out else {}),
        },
        **(_checked(proof) if proof else {}),
        "examples": sentences,
        "example_translation": first.text,
        "first_look": first_head.first_look(checkpoint, sentences),
        "covers": [],
        "parameters": count_parameters(checkpoint.model),
    }
    cards.save(entry.folder, card, _prose(entry.name, card))


def add_proof(entry: Entry, proof: Proof) -> None:
    """Write into the card of a checkpoint what a comparison with the original found."""
    card = entry.card | _checked(proof)
    cards.save(entry.folder, card, _prose(entry.name, card))


def _checked(proof: Proof) -> dict[str, Any]:
    return {"checked": asdict(proof) | {"otherwise": list(proof.otherwise)}}


def _told(checkpoint: Checkpoint) -> dict[str, Any]:
    """Entries of the card of a model that is told which language to read and which to write; empty for others."""
    tokenizer, first = checkpoint.tokenizer, checkpoint.model.config.first_output_token
    if not isinstance(tokenizer, ImportedTokenizer) or first not in tokenizer.languages.values() or not tokenizer.reads:
        return {}
    writes = next(name for name, id_ in tokenizer.languages.items() if id_ == first)
    examples = example_sentences.by_language(checkpoint)
    return catalogue.told(tokenizer.reads, writes) | {
        "languages": tokenizer.languages,
        "language_examples": {
            name: examples[code] for name in tokenizer.languages if (code := catalogue.code_of(name)) in examples
        },
    }


def _task(checkpoint: Checkpoint) -> str:
    config = checkpoint.model.config
    if config.architecture != "encoder":
        return _TASKS[config.architecture]
    if config.labels:
        if config.label_kind != "one":
            return {"several": "several-labels", "score": "score", "span": "question-answering"}[config.label_kind]
        return "token-labels" if config.label_each else "sentence-labels"
    return "fill-mask" if config.target_vocabulary else "sentence-vectors"


def _languages(*sources: str | list[str]) -> list[str]:
    """Source and target language: from a name like opus-mt-de-en, else from the two that the README names."""
    for source in sources:
        if isinstance(source, str) and (match := re.search(r"opus-mt(?:-tc-\w+)?-([a-z]{2,3})-([a-z]{2,3})$", source)):
            return [match[1], match[2]]
    return next((source for source in sources if isinstance(source, list) and len(source) == 2), [])


def _prose(name: str, card: dict[str, Any]) -> str:
    origin = card["imported"]
    revision = f", revision {origin['revision']}" if origin["revision"] else ""
    lines = [f"# {name}", "", f"Imported from {origin['source']}{revision} ({origin['family']}).", ""]
    lines += [f"Licence of the original: {origin['licence']}.", ""]
    lines += [
        f"{card['parameters']['total']:,} parameters. Converted to Glassformer's format; the weights are the same."
    ]
    if checked := card.get("checked"):
        lines += [
            "", f"Checked against transformers {checked['version']} over {checked['sentences']} sentences: "
            f"largest difference {checked['difference']:.0e}."
        ]  # fmt: skip
        if checked["otherwise"]:
            lines += [
                "",
                f"transformers cuts these texts into other tokens: {', '.join(map(repr, checked['otherwise']))}",
            ]
    else:
        lines += ["", "Not checked against transformers."]
    if "left_out" in origin:
        lines += ["", f"Left out, because the app has no use for them: {', '.join(origin['left_out'])}."]
    lines += ["", "## Examples", "", *(f"- {text}" for text in card["examples"])]
    return "\n".join(lines) + "\n"
