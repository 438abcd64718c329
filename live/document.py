"""The HTML of a live page: what it says and shows, where its files are, and what it may load."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from live import engine_files
from live.texts import speaks, texts
from viz.standalone.document import spelled
from viz.templates import render
from viz.version import VERSION

# nothing of another host; WebAssembly has to be allowed by name
_POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src {worker}; connect-src {connect}; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_DESCRIPTION = "A Transformer that runs in this page: type a sentence and see every attention weight behind its output."
File = dict[str, Any]


def linked(title: str, script_url: str, worker: File, wasm: File, training: File, models: Sequence[File]) -> str:
    """A page whose files stand beside it: each is named by `url` and `bytes`."""
    policy = _POLICY.format(script="'self'", worker="'self'", connect="'self'")
    engine = {"worker": worker, "wasm": wasm, "training": training}
    return _page(title, policy, engine, models, script_url=script_url)


def embedded(
    title: str, script: str, worker: bytes, wasm: bytes, model: File, model_file: bytes, lessons: bytes,
    training: bytes, view: str,
) -> str:  # fmt: skip
    """A page that holds everything; `model` describes it, `view` is what it opens with. All bytes are compressed."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = _POLICY.format(script=f"'sha256-{digest}'", worker="blob:", connect="'none'")
    held = {"worker": worker, "wasm": wasm, "model": model_file, "lessons": lessons, "training": training}
    files: dict[str, File] = {name: {"element": name, "bytes": len(data)} for name, data in held.items()}
    engine = {name: files[name] for name in ("worker", "wasm", "training")}
    parts = {name: _engine(held[name]) for name in engine}
    parts |= {"model": spelled(model_file), "lessons": spelled(lessons)}
    models = [model | files["model"] | {"lessons": files["lessons"]}]
    return _page(title, policy, engine, models, script=script, parts=parts, view=view)


@cache
def _engine(data: bytes) -> Markup:
    """A part of the engine as text: a third of a second of work, and the same in each page that is saved."""
    return spelled(data)


def _page(
    title: str,
    policy: str,
    engine: Mapping[str, File],
    models: Sequence[File],
    *,
    script: str = "",
    script_url: str = "",
    parts: Mapping[str, Markup] | None = None,
    view: str = "",
) -> str:
    files = {"version": VERSION, **engine, "models": models, "view": view}
    return render(
        "live/page.html",
        "page",
        title=title,
        description=_DESCRIPTION,
        policy=policy,
        style=Markup(engine_files.style()),
        figures={
            name: {"css": Markup(each.css), "html": Markup(each.html)} for name, each in engine_files.FIGURES.items()
        },
        texts=json_text({language: texts(language) for language in speaks()}),
        languages=json_text(speaks()),
        files=json_text(files),
        script=Markup(script),
        script_url=script_url,
        notice=engine_files.notice(),
        embedded=parts or {},
    )


def json_text(data: object) -> Markup:
    """JSON that may stand in a script element: no text in it can end the element."""
    return Markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"))
