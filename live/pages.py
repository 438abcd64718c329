"""Live pages on disk: a folder for any static host, or a single file for each model."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from live import document, engine_files
from live.engine_files import hashed
from live.example import brief, example, score_test
from live.lessons import lessons_file
from live.model_file import compressed, model_file
from live.texts import speaks, texts
from live.training import training_file
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.checkpoint.model_size import IN_BROWSER
from model.errors import InvalidInput
from model.graph import page_tokenizer

TITLE = "Glassformer"


@dataclass(frozen=True)
class Served:
    """What the pages of the app's server know of it.

    shared     where the files are that pages of all models have, relative to a page
    training   where the file is that a page trains with, which is made for the first reader who trains
    app        for the script: `base`, the path of the app's addresses, and `models`, which run in a browser
    """

    shared: str
    training: str
    app: dict[str, Any]


def check(entry: Entry) -> None:
    """Raise `InvalidInput` if a model cannot be on a live page: it reads numbers, or is too large."""
    if not entry.reads_text:
        raise InvalidInput("checkpoint_numbers", name=entry.name)


def loaded(entry: Entry) -> Checkpoint:
    """The model, if it can be on a live page."""
    check(entry)
    checkpoint = load(entry)
    count = sum(value.numel() for value in checkpoint.model.parameters())
    if count > IN_BROWSER:
        raise InvalidInput("live_large", name=entry.name, count=f"{count:,}", limit=f"{IN_BROWSER:,}")
    if not page_tokenizer.is_equal(checkpoint.tokenizer):
        raise InvalidInput("live_tokenizer", name=entry.name)
    return checkpoint


def write_folder(entries: Sequence[Entry], out: Path) -> Iterator[Path]:
    """Write a page that offers all these models, and loads one when it is chosen; gives each file when it is there."""
    for name, data in folder_files(entries):
        yield _written(out / name, data)


def folder_files(
    entries: Sequence[Entry], engine: str = "", served: Served | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files of this page, name and content.

    engine   the address of an engine on a server, which then computes in place of the reader's browser
    served   by the app's own server: then there is an `index.XX.html` for each language, which is smaller
    """
    models = []
    for entry in entries:
        checkpoint = load(entry) if engine else loaded(entry)
        files: dict[str, Any] = {"engine": f"{engine}/{entry.name}"}
        if not engine:
            data = model_file(checkpoint, entry, with_gradient=served is None)
            files = {"url": f"models/{hashed(entry.name, data, '.model.gz')}", "bytes": len(data)}
            yield files["url"], data
        lessons = lessons_file(checkpoint, entry)
        path = f"models/{hashed(f'{entry.name}.lessons', lessons, '.json.gz')}"
        yield path, lessons
        models.append(_described(checkpoint, entry) | files | {"lessons": {"url": path, "bytes": len(lessons)}})
    shared = shared_files()
    yield from shared.values()
    yield "NOTICE.txt", engine_files.notice().encode()
    at = served.shared if served else ""
    script = at + shared["script"][0]
    engine = {kind: {"url": at + name, "bytes": len(data)} for kind, (name, data) in shared.items() if kind != "script"}
    if served is None:
        data = training_file()
        name = hashed("training", data, ".gz")
        yield name, data
        engine["training"] = {"url": name, "bytes": len(data)}
        yield "index.html", document.linked(TITLE, script, engine, models).encode()
        return
    engine["training"] = {"url": served.training, "bytes": 0}  # not known before it is made
    spoken = {language: text_file(language) for language in speaks()}
    yield from spoken.values()
    listed = {language: {"url": name, "bytes": len(data)} for language, (name, data) in spoken.items()}
    for language in spoken:
        page = document.linked(TITLE, script, engine, models, document.ServedPage(language, listed, served.app))
        yield f"index.{language}.html", page.encode()


@cache
def shared_files() -> dict[str, tuple[str, bytes]]:
    """Name and content of what each page needs, whichever models it has: its worker, engine and script."""
    files = {
        "worker": ("worker", engine_files.worker().encode(), ".js"),
        "wasm": ("engine", engine_files.wasm(), ".wasm.gz"),
        "script": ("page", engine_files.page_script().encode(), ".js"),
    }
    return {kind: (hashed(stem, data, suffix), data) for kind, (stem, data, suffix) in files.items()}


def text_file(language: str) -> tuple[str, bytes]:
    """Name and content of the texts of a language, which a page in another one reads when it is chosen."""
    data = compressed(json.dumps(texts(language), ensure_ascii=False, separators=(",", ":")).encode())
    return hashed(f"texts.{language}", data, ".json.gz"), data


def write_single(entries: Sequence[Entry], out: Path) -> Iterator[Path]:
    """Write a file for each model, which holds all that it needs; gives each when it is there."""
    for entry in entries:
        checkpoint = loaded(entry)
        page = single_page(checkpoint, entry, model_file(checkpoint, entry))
        yield _written(out / f"{entry.name}.html", page.encode())


def single_page(checkpoint: Checkpoint, entry: Entry, model: bytes, view: str = "") -> str:
    """The HTML of a page with the model and its engine.

    model   the `model_file` of the checkpoint
    view    what the page opens with, such as `attention?head=3`
    """
    sentence = dict(parse_qsl(view.partition("?")[2])).get("sentence", "").strip()
    return document.embedded(
        f"{TITLE}: {entry.name}",
        engine_files.page_script(),
        compressed(engine_files.worker().encode()),
        engine_files.wasm(),
        _described(checkpoint, entry, sentence),
        model,
        lessons_file(checkpoint, entry),
        training_file(),
        view,
    )


def _described(checkpoint: Checkpoint, entry: Entry, sentence: str = "") -> dict[str, Any]:
    """Description of a model that a page has at once: its card, and one sentence that was run."""
    known = {"name": entry.name, "model": brief(checkpoint, entry), "score_test": score_test(entry)}
    first = entry.card["examples"][0]
    try:
        return known | {"example": example(checkpoint, sentence or first)}
    except InvalidInput:  # a link may name a sentence that this model cannot read
        return known | {"example": example(checkpoint, first)}


def _written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
