"""Live pages on disk: a folder for any static host, or a single file for each model."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from live import document, engine_files
from live.engine_files import hashed
from live.example import brief, example
from live.lessons import lessons_file
from live.model_file import compressed, model_file
from live.training import training_file
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.errors import InvalidInput
from model.graph import page_tokenizer

LARGEST = 20_000_000  # parameters; the page's tab holds each about ten times as bytes
TITLE = "Glassformer"


def check(entry: Entry) -> None:
    """Raise `InvalidInput` if a model cannot be on a live page: it reads numbers, or is too large."""
    if not entry.reads_text:
        raise InvalidInput("checkpoint_numbers", name=entry.name)


def loaded(entry: Entry) -> Checkpoint:
    """The model, if it can be on a live page."""
    check(entry)
    checkpoint = load(entry)
    count = sum(value.numel() for value in checkpoint.model.parameters())
    if count > LARGEST:
        raise InvalidInput("live_large", name=entry.name, count=f"{count:,}", limit=f"{LARGEST:,}")
    if not page_tokenizer.is_equal(checkpoint.tokenizer):
        raise InvalidInput("live_tokenizer", name=entry.name)
    return checkpoint


def write_folder(entries: Sequence[Entry], out: Path) -> Iterator[Path]:
    """Write a page that offers all these models, and loads one when it is chosen; gives each file when it is there."""
    for name, data in folder_files(entries):
        yield _written(out / name, data)


def folder_files(entries: Sequence[Entry], engine: str = "") -> Iterator[tuple[str, bytes]]:
    """The files of this page, name and content.

    engine   the address of an engine on a server, which then computes in place of the reader's browser
    """
    models = []
    for entry in entries:
        checkpoint = load(entry) if engine else loaded(entry)
        files: dict[str, Any] = {"engine": f"{engine}/{entry.name}"}
        if not engine:
            data = model_file(checkpoint, entry)
            files = {"url": f"models/{hashed(entry.name, data, '.model.gz')}", "bytes": len(data)}
            yield files["url"], data
        lessons = lessons_file(checkpoint, entry)
        path = f"models/{hashed(f'{entry.name}.lessons', lessons, '.json.gz')}"
        yield path, lessons
        models.append(_described(checkpoint, entry) | files | {"lessons": {"url": path, "bytes": len(lessons)}})
    worker, wasm, training = engine_files.worker().encode(), engine_files.wasm(), training_file()
    names = {
        "worker": hashed("worker", worker, ".js"),
        "wasm": hashed("engine", wasm, ".wasm.gz"),
        "training": hashed("training", training, ".gz"),
    }
    yield names["worker"], worker
    yield names["wasm"], wasm
    yield names["training"], training
    script = engine_files.page_script().encode()
    script_name = hashed("page", script, ".js")
    yield script_name, script
    yield "NOTICE.txt", engine_files.notice().encode()
    page = document.linked(
        TITLE,
        script_name,
        {"url": names["worker"], "bytes": len(worker)},
        {"url": names["wasm"], "bytes": len(wasm)},
        {"url": names["training"], "bytes": len(training)},
        models,
    )
    yield "index.html", page.encode()


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
    return document.embedded(
        f"{TITLE}: {entry.name}",
        engine_files.page_script(),
        compressed(engine_files.worker().encode()),
        engine_files.wasm(),
        _described(checkpoint, entry, _sentence(view)),
        model,
        lessons_file(checkpoint, entry),
        training_file(),
        view,
    )


def _sentence(view: str) -> str:
    return dict(parse_qsl(view.partition("?")[2])).get("sentence", "").strip()


def _described(checkpoint: Checkpoint, entry: Entry, sentence: str = "") -> dict[str, Any]:
    """Description of a model that a page has at once: its card, and one sentence that was run."""
    known = {"name": entry.name, "model": brief(checkpoint, entry)}
    first = entry.card["examples"][0]
    try:
        return known | {"example": example(checkpoint, sentence or first)}
    except InvalidInput:  # a link may name a sentence that this model cannot read
        return known | {"example": example(checkpoint, first)}


def _written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
