"""The HTML of a live page: what it says and shows, where its files are, and what it may load."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup

from live import engine_files
from live.texts import speaks, texts
from viz.languages import languages
from viz.standalone.document import json_text, spelled
from viz.templates import render
from viz.version import VERSION

# nothing of another host; WebAssembly has to be allowed by name
_POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src {worker}; connect-src {connect}; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_DESCRIPTION = "A Transformer that runs in this page: type a sentence and see every attention weight behind its output."
File = dict[str, Any]


class ServedPage(NamedTuple):
    """A page of the app's server: it holds the texts of one language, and shows its example before its script is there.

    texts   the file of the texts of each language
    app     what the script has to know of the app
    """

    language: str
    texts: Mapping[str, File]
    app: Mapping[str, Any]


def linked(
    title: str, script_url: str, engine: Mapping[str, File], models: Sequence[File], served: ServedPage | None = None
) -> str:  # fmt: skip
    """A page whose files stand beside it, each named by `url` and `bytes`; of `engine`: worker, wasm and training."""
    policy = _POLICY.format(script="'self'", worker="'self'", connect="'self'")
    return _page(title, policy, engine, models, script_url=script_url, served=served)


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
    served: ServedPage | None = None,
) -> str:
    files = {"version": VERSION, **engine, "models": models, "view": view}
    files |= {"texts": served.texts, "app": served.app} if served else {}
    spoken = [served.language] if served else speaks()
    return render(
        "live/page.html",
        "page",
        title=title,
        description=_DESCRIPTION,
        policy=policy,
        style=Markup(engine_files.style()),
        figures=engine_files.markup(engine_files.FIGURES),
        texts=json_text({language: texts(language) for language in spoken}),
        first=_first(models[0], served.language) if served else None,
        languages=json_text(speaks()),
        files=json_text(files),
        script=Markup(script),
        script_url=script_url,
        notice=engine_files.notice(),
        embedded=parts or {},
    )


def _first(model: File, language: str) -> dict[str, str]:
    """The example of a model as text, which is there before any script."""
    known = texts(language)
    example, card = model["example"], model["model"]["card"]
    return {
        "tag": languages()[language].tag, "sentence": example["sentence"], "output": example["text"],
        "source": tag_of(card, "source"), "target": tag_of(card, "target"),
        "question": known["start.question"], "name": known["frame.sentence"], "loading": known["live.starting"],
    }  # fmt: skip


def tag_of(card: Mapping[str, Any], side: str) -> str:
    """The HTML tag of what a model reads or writes, as far as it is known."""
    code = card.get(f"{side}_language", "")
    return languages()[code].tag if code in languages() else code
