"""A checkpoint as one zip: packed to be taken away, and unpacked from a stranger after everything in it is checked."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoint import checkpoints, history, length_limit, model_size
from model.checkpoint.catalogue import IMPORTED_TOKENS, NEEDED, Entry
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.user_models import clean_name, numbered
from model.config import TABLES, TransformerConfig
from model.decode.translate import Translation, translate
from model.errors import InvalidInput
from model.initial_weights import count_parameters
from model.tokenization.imported_tokenizer import ImportedTokenizer
from model.tokenization.tokenizer import CHARACTER_LIMIT, Tokenizer
from model.upload import check_history, check_tokenizer, zip_file
from model.upload.zip_file import ArchiveLimits

# bytes that each file of a checkpoint may have; the weights have what the zip may have
SIZES = {
    "config.json": 10_000,
    "card.json": 300_000,
    "card.md": 300_000,
    "tokenizer.json": 8_000_000,
    "words.txt": 8_000_000,
    **dict.fromkeys(IMPORTED_TOKENS, 8_000_000),
    "model.safetensors": zip_file.LIMITS.unpacked,
    "example.npz": zip_file.LIMITS.unpacked,
    "history.npz": check_history.BYTES,
}
# arrays of a stranger: the one is recorded anew, the other read strictly and written anew
LEFT_OUT = ("example.npz", history.FILE)
_PICKLES = (".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt", ".joblib")
_TRANSFORMERS_FILES = {"tokenizer_config.json", "generation_config.json"}
_TRANSFORMERS_FIELDS = {"model_type", "architectures", "transformers_version"}
_LONGEST_TEXT, _LARGEST_NUMBER, _MOST_ITEMS, _DEEPEST = 2000, 1e15, 1000, 8  # of a card
_TASK = r"[a-z][a-z-]{0,39}"
_QUOTED = 200  # characters of a file that a sentence quotes


@dataclass(frozen=True, kw_only=True)
class UploadLimits:
    """Limits of what an upload may ask of the host. `trace` is bytes of one pass at the model's longest sentence."""

    archive: ArchiveLimits = field(default_factory=ArchiveLimits)
    parameters: int = 20_000_000
    layers: int = 64
    trace: int = 64_000_000


LIMITS = UploadLimits()


def pack(entry: Entry) -> bytes:
    """The known files of a checkpoint folder as a zip; the same files give the same bytes."""
    entry.check_files()
    files = {name: entry.folder / name for name in SIZES}
    return zip_file.write(entry.name, {name: path.read_bytes() for name, path in files.items() if path.is_file()})


def unpack(data: bytes, into: Path, limits: UploadLimits = LIMITS, name: str = "") -> Entry:
    """Check a zip and write its checkpoint as a new folder in `into`, named as in the zip, else by `name`.

    Nothing is written before all names and sizes are right, nothing is built before config, header, types and
    shapes fit each other, and nothing is kept of what does not load and run. Raises `InvalidInput`.
    """
    try:
        folder, files = zip_file.read(data, limits.archive)
        _check_format(files)
        _check_files(files)
        free_name = next(name for name in numbered(clean_name(folder or name)) if not (into / name).exists())
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=into) as partial:
            entry = Entry(Path(partial) / free_name)
            entry.folder.mkdir()
            for file in files.keys() - set(LEFT_OUT):
                (entry.folder / file).write_bytes(files[file])
            _record(entry, check(entry, limits))
            if history.FILE in files and "imported" not in entry.card:  # of which no page shows a training
                _keep_history(entry, files[history.FILE])
            shutil.move(entry.folder, into / free_name)
    except InvalidInput as error:
        raise _presentable(_of_zip(error)) from None
    return Entry(into / free_name)


def check(entry: Entry, limits: UploadLimits = LIMITS) -> Translation:
    """Hold a stranger's checkpoint folder to everything that pages rely on, and run its first example.

    Cheap and revealing checks come first.
    """
    _check_json(entry, "config.json")
    entry.check_files()
    config = _shortened(entry, entry.config, limits)
    _check_size(config, limits)  # which refuses one that reads numbers, and has no tokenizer
    for file in ("tokenizer.json", "card.json", *IMPORTED_TOKENS):
        if file not in IMPORTED_TOKENS or (entry.folder / file).is_file():
            _check_json(entry, file)
    _check_card(entry, config)
    check_tokenizer.check(entry)
    checkpoint = checkpoints.load(entry)
    if not _names_languages(entry.card, checkpoint.tokenizer):
        raise InvalidInput("checkpoint_card", name=entry.name, key="languages")
    if entry.card["parameters"] != count_parameters(checkpoint.model):
        raise InvalidInput("checkpoint_card", name=entry.name, key="parameters")
    return _run(checkpoint, entry.card["examples"][0])


def _of_zip(error: InvalidInput) -> InvalidInput:
    """A file that a folder lacks cannot be put back into a zip here."""
    if error.code != "checkpoint_file":
        return error
    return InvalidInput("exchange_missing", file=error.values["file"], files=", ".join((*NEEDED, "card.json")))


def _presentable(error: InvalidInput) -> InvalidInput:
    """The same refusal, with what it quotes from the stranger's files on one short line."""
    values = {
        key: _presentable(value) if isinstance(value, InvalidInput) else _quoted(str(value))
        for key, value in error.values.items()
    }
    return InvalidInput(error.code, **values)


def _quoted(text: str) -> str:
    printable = "".join(c if c.isprintable() else "�" for c in text[:_QUOTED])
    return printable + "…" * (len(text) > _QUOTED)


def _check_format(files: dict[str, bytes]) -> None:
    """Recognise a model of Hugging Face's transformers, by the files that only such a folder has or by its config."""
    try:
        config = zip_file.strict_json(files.get("config.json", b"{}").decode())
    except (ValueError, RecursionError):
        return  # `check` says what is wrong with it
    fields = config if isinstance(config, dict) else {}
    if not files.keys().isdisjoint(_TRANSFORMERS_FILES) or not fields.keys().isdisjoint(_TRANSFORMERS_FIELDS):
        family = fields.get("model_type") or fields.get("architectures") or "transformers"
        raise InvalidInput("exchange_transformers", family=str(family))


def _check_files(files: dict[str, bytes]) -> None:
    if not files:
        raise InvalidInput("exchange_empty")
    for name in files:
        if name.lower().endswith(_PICKLES):
            raise InvalidInput("exchange_pickle", file=name)
    if unread := files.keys() - SIZES:
        raise InvalidInput("exchange_file", file=", ".join(sorted(unread))[:_QUOTED], files=", ".join(SIZES))
    for name, data in files.items():
        if len(data) > SIZES[name]:
            raise InvalidInput("exchange_large", file=name, count=f"{len(data):,}", limit=f"{SIZES[name]:,}")


def _check_json(entry: Entry, file: str) -> None:
    """Refuse what JSON readers disagree about: NaN, numbers without end, half characters, thousands of brackets."""
    try:
        value = zip_file.strict_json((entry.folder / file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InvalidInput("checkpoint_file", name=entry.name, file=file) from None
    except (ValueError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else _problem(error)
        raise InvalidInput("checkpoint_json", name=entry.name, file=file, problem=problem) from None
    if not isinstance(value, dict):
        raise InvalidInput("checkpoint_json", name=entry.name, file=file, problem="an object {…} is expected")


def _problem(error: ValueError) -> str:
    """Describe an error, without the text in which it was found."""
    return "not UTF-8 text" if isinstance(error, UnicodeError) else str(error)


def _shortened(entry: Entry, config: TransformerConfig, limits: UploadLimits) -> TransformerConfig:
    """An imported model without a table of positions has no length of its own: give it one that fits the limit."""
    if config.position in TABLES or not (entry.folder / IMPORTED_TOKENS[0]).is_file():
        return config
    length = length_limit.readable_tokens(config, limits.trace)
    if length < config.max_length:
        text = json.dumps(asdict(config) | {"max_length": length}, indent=2)
        (entry.folder / "config.json").write_text(text + "\n", encoding="utf-8")
    return replace(config, max_length=length)


def _check_size(config: TransformerConfig, limits: UploadLimits) -> None:
    if config.inputs != "tokens":
        raise InvalidInput("exchange_numbers")
    layers = config.encoder_layers + config.decoder_layers
    if layers > limits.layers:
        raise InvalidInput("exchange_layers", count=_count(layers), limit=limits.layers)
    if (count := model_size.parameters(config)) > limits.parameters:
        raise InvalidInput("exchange_parameters", count=_count(count), limit=f"{limits.parameters:,}")
    if (count := 4 * length_limit.trace_values(config, config.max_length)) > limits.trace:
        megabytes = {"count": _count(count // 1_000_000), "limit": f"{limits.trace // 1_000_000:,}"}
        raise InvalidInput("exchange_trace", length=config.max_length, **megabytes)


def _count(number: int) -> str:
    """A number as a sentence can hold it: a stranger's may have a thousand digits."""
    return f"{number:,}" if number < 1e15 else "10^15+"


def _check_card(entry: Entry, config: TransformerConfig) -> None:
    """Check what CARD cannot say: the card fits this very model, and nothing in it is without bounds."""
    card = entry.card
    given = {key: value for key, value in card.items() if key != "example_translation"}  # which is written anew
    bad = (key for key, value in given.items() if not all(map(_in_bounds, _leaves(value))))
    if key := next(bad, None):
        raise InvalidInput("checkpoint_card", name=entry.name, key=key)
    look, layers = card["first_look"], {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    layers["cross"] = config.decoder_layers if config.architecture == "encoder-decoder" else 0
    in_model = 0 <= look["layer"] < layers.get(look["attention_kind"], 0) and 0 <= look["head"] < config.heads
    topics = [topic["topic"] for topic in card["covers"]]
    fits = {
        "task": re.fullmatch(_TASK, card["task"]),
        "first_look": in_model,
        "examples": all(map(_is_sentence, card["examples"])),
        "scores": all(map(_is_score, card.get("scores", {}).values())),
        # what an import writes, and nothing else, has pieces with ids of their own
        "imported": ("imported" in card) == (entry.folder / IMPORTED_TOKENS[0]).is_file(),
        "splits": all(map(_is_number, card.get("splits", {}).values())),
        "covers": len(topics) == len(set(topics)),
    }
    for key, fit in fits.items():
        if not fit:
            raise InvalidInput("checkpoint_card", name=entry.name, key=key)


def _names_languages(card: dict[str, Any], tokenizer: Tokenizer) -> bool:
    """Whether the languages of a card are those of the tokenizer, and its examples are of these."""
    languages = tokenizer.languages if isinstance(tokenizer, ImportedTokenizer) else {}
    told, examples = card.get("told", []), card.get("language_examples", {})
    ids = card.get("languages", {}).values()
    return (
        card.get("languages", languages) == languages
        and not any(isinstance(id_, bool) for id_ in ids)
        and {*told, *examples} <= languages.keys()
        and len(told) == (2 if card.get("languages") else 0)
        and all(isinstance(texts, list) and all(map(_is_sentence, texts)) for texts in examples.values())
    )


def _is_sentence(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= CHARACTER_LIMIT


def _is_score(score: object) -> bool:
    """Numbers by name, and the signatures of BLEU and chrF, both or neither."""
    if not isinstance(score, dict) or ("bleu_signature" in score) != ("chrf_signature" in score):
        return False
    return all(
        isinstance(value, str) if key.endswith("_signature") else _is_number(value) for key, value in score.items()
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _leaves(value: object, depth: int = 0) -> Iterator[object]:
    """All texts, numbers and names of keys in a JSON value, how long each list and object is, and how deep."""
    if not isinstance(value, dict | list):
        yield value
        return
    yield range(len(value))
    if depth == _DEEPEST:
        yield inf
        return
    for item in [*value, *value.values()] if isinstance(value, dict) else value:
        yield from _leaves(item, depth + 1)


def _in_bounds(value: object) -> bool:
    if isinstance(value, range):
        return len(value) <= _MOST_ITEMS
    if isinstance(value, str):
        return len(value) <= _LONGEST_TEXT and value.isprintable()
    return value is None or (abs(value) <= _LARGEST_NUMBER and isfinite(value))  # type: ignore[arg-type,operator]


def _run(checkpoint: Checkpoint, sentence: str) -> Translation:
    """The first example goes through, and what comes out are numbers."""
    run = translate(checkpoint, sentence)
    values = run.trace.values
    last = next(values[name] for name in ("logits", "labels", "encoder.output") if name in values)
    if not np.isfinite(last).all():
        raise InvalidInput("exchange_overflow")
    return run


def _keep_history(entry: Entry, data: bytes) -> None:
    """How the model was trained, as its history says: nobody can check that it is so, only that pages can draw it."""
    model = checkpoints.load(entry).model
    shapes = {name: tuple(value.shape) for name, value in model.named_parameters()}
    moments, curve = check_history.opened(data, model.config, shapes)
    history.save(entry.folder, moments, curve, weights=inf)


def _record(entry: Entry, run: Translation) -> None:
    """The example as this model has just done it, whatever its card says."""
    run.trace.save(entry.folder / "example.npz")
    if entry.card["example_translation"] != run.text:
        card = json.dumps(entry.card | {"example_translation": run.text}, ensure_ascii=False, indent=2)
        (entry.folder / "card.json").write_text(card + "\n", encoding="utf-8")
