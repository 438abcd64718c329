"""What every live page needs beside a model: worker, WebAssembly, the page's own script, and the licences."""

import hashlib
from functools import cache
from pathlib import Path

from viz.components.js_bundle import bundle

ROOT = Path(__file__).parents[1]
VENDOR = Path(__file__).parent / "frontend" / "vendor"


@cache
def worker() -> str:
    """The worker with all that it imports, as one script."""
    return bundle("live/frontend/worker.js", ROOT)


@cache
def page_script() -> str:
    """The page's script with all that it imports."""
    return bundle("live/frontend/page.js", ROOT)


def wasm() -> bytes:
    """onnxruntime's WebAssembly, compressed."""
    return (VENDOR / "ort.wasm.gz").read_bytes()


def notice() -> str:
    """The licences of what travels along."""
    return (VENDOR / "NOTICE.txt").read_text(encoding="utf-8")


def hashed(stem: str, data: bytes, suffix: str) -> str:
    """A file name that changes with the content, so that a browser may keep the file for ever."""
    return f"{stem}.{hashlib.sha256(data).hexdigest()[:12]}{suffix}"
