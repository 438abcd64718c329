"""A checkpoint as one zip: packed to be taken away, and unpacked from a stranger after everything in it is checked."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoint import catalogue, checkpoints, history, length_limit, model_size
from model.checkpoint.catalogue import NEEDED, Entry
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.user_models import clean_name, numbered
from model.config import TransformerConfig
from model.decode.translate import Translation, translate
from model.errors import InvalidInput
from model.initial_weights import count_parameters
from model.tokenization.tokenizer import CHARACTER_LIMIT, Tokenizer
from model.upload import check_history, zip_file
from model.upload.zip_file import ArchiveLimits

# bytes that each file of a checkpoint may have; the weights have what the zip may have
SIZES = {
    "config.json": 10_000,
    "card.json": 300_000,
    "card.md": 300_000,
    "tokenizer.json": 8_000_000,
    "words.txt": 8_000_000,
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
            if history.FILE in files:
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
    config = checkpoints.config_of(entry)
    _check_size(config, limits)  # which refuses one that reads numbers, and has no tokenizer
    for file in ("tokenizer.json", "card.json"):
        _check_json(entry, file)
    _check_card(entry, config)
    _check_tokenizer(entry)
    checkpoint = checkpoints.load(entry)
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
    for name, data in files.items():
        if name.lower().endswith(_PICKLES):
            raise InvalidInput("exchange_pickle", file=name)
        if name not in SIZES:
            raise InvalidInput("exchange_file", file=name, files=", ".join(SIZES))
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
    bad = (key for key, value in card.items() if not all(map(_in_bounds, _leaves(value))))
    if key := next(bad, None):
        raise InvalidInput("checkpoint_card", name=entry.name, key=key)
    look, layers = card["first_look"], {"encoder": config.encoder_layers, "decoder": config.decoder_layers}
    layers["cross"] = config.decoder_layers if config.architecture == "encoder-decoder" else 0
    in_model = 0 <= look["layer"] < layers.get(look["attention_kind"], 0) and 0 <= look["head"] < config.heads
    topics = [topic["topic"] for topic in card["covers"]]
    fits = {
        "task": re.fullmatch(_TASK, card["task"]),
        "first_look": in_model,
        "examples": all(0 < len(text.strip()) <= CHARACTER_LIMIT for text in card["examples"]),
        "scores": all(map(_is_score, card["scores"].values())),
        "splits": all(map(_is_number, card.get("splits", {}).values())),
        "covers": len(topics) == len(set(topics)),
    }
    for key, fit in fits.items():
        if not fit:
            raise InvalidInput("checkpoint_card", name=entry.name, key=key)


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


def _check_tokenizer(entry: Entry) -> None:
    """Only tokenizers that cut as ours do: another's patterns could take forever over a sentence."""
    fields = json.loads((entry.folder / "tokenizer.json").read_text(encoding="utf-8"))
    try:
        cut, vocabulary = _cut(fields), fields["model"]["vocab"]
        ids = sorted(vocabulary.values())
        longest = max(map(len, vocabulary), default=0)
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise InvalidInput("checkpoint_tokenizer", name=entry.name) from None
    if ids != list(range(len(ids))) or longest > CHARACTER_LIMIT:
        raise InvalidInput("checkpoint_tokenizer", name=entry.name)
    if cut not in _our_cuts() | _sample_cuts():
        raise InvalidInput("exchange_tokenizer")


def _cut(fields: dict[str, Any]) -> str:
    """Everything in a tokenizer.json that is not its vocabulary."""
    model = {key: value for key, value in fields["model"].items() if key not in ("vocab", "merges")}
    return json.dumps(fields | {"model": model}, sort_keys=True)


@cache
def _our_cuts() -> frozenset[str]:
    text = ["a b"]
    ours = (Tokenizer.train(text, (), 300), Tokenizer.words(text, ()), Tokenizer.characters(text, ()))
    return frozenset(_cut(json.loads(tokenizer.inner.to_str())) for tokenizer in ours)


def _sample_cuts() -> frozenset[str]:
    """Of the checkpoints on this server, which an earlier version may have written."""
    files = (entry.folder / "tokenizer.json" for entry in catalogue.sentence_models().values())
    return frozenset(_cut(json.loads(file.read_text(encoding="utf-8"))) for file in files if file.is_file())


def _run(checkpoint: Checkpoint, sentence: str) -> Translation:
    """The first example goes through, and what comes out are numbers."""
    run = translate(checkpoint, sentence)
    values = run.trace.values
    last = values["logits"] if "logits" in values else values["encoder.output"]
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
