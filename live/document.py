"""The HTML of a live page: what it shows, where its files are, and what it may load."""

import base64
import hashlib
import json
from collections.abc import Mapping

from markupsafe import Markup

from viz.standalone.document import spelled
from viz.templates import render
from viz.version import VERSION

# nothing of another host; WebAssembly has to be allowed by name
_POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src {worker}; connect-src {connect}; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
File = dict[str, object]


def linked(title: str, script_url: str, worker: File, wasm: File, models: list[File]) -> str:
    """A page whose files stand beside it: each is named by `url` and `bytes`."""
    policy = _POLICY.format(script="'self'", worker="'self'", connect="'self'")
    return _page(title, policy, worker, wasm, models, script_url=script_url)


def embedded(title: str, script: str, worker: bytes, wasm: bytes, model: File, model_file: bytes) -> str:
    """A page that holds everything; `model` names it. All bytes are compressed."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = _POLICY.format(script=f"'sha256-{digest}'", worker="blob:", connect="'none'")
    held = {"worker": worker, "wasm": wasm, "model": model_file}
    files: dict[str, File] = {name: {"element": f"live-{name}", "bytes": len(data)} for name, data in held.items()}
    texts = {f"live-{name}": spelled(data) for name, data in held.items()}
    models = [model | files["model"]]
    return _page(title, policy, files["worker"], files["wasm"], models, script=script, texts=texts)


def _page(
    title: str,
    policy: str,
    worker: File,
    wasm: File,
    models: list[File],
    *,
    script: str = "",
    script_url: str = "",
    texts: Mapping[str, Markup] | None = None,
) -> str:
    files = {"version": VERSION, "worker": worker, "wasm": wasm, "models": models}
    return render(
        "live/page.html",
        "page",
        title=title,
        policy=policy,
        files=Markup(json.dumps(files, ensure_ascii=False).replace("<", "\\u003c")),
        script=Markup(script),
        script_url=script_url,
        embedded=texts or {},
    )
