"""The JavaScript of the figures, run without a browser: files and heights come from the same modules as the screen.

The engine is QuickJS. It may be used by one thread only, and the app's sessions have a thread each: one worker does it
all, with one context per figure, which is kept. A forked process begins anew: it has no thread of its parent's.
"""

import base64
import os
import struct
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from ..palette import Mode
from ..text_width import text_width
from .js_bundle import bundle
from .packing import opened

WIDE = 874  # px: a figure in a card beside the list of pages, on a screen of 1280
# a long text that was put together is handed over only once it is joined ("Unknown quickjs tag: -6")
_JOINED = 'const joined = (text) => ["", text].join("");'
_FILE = (
    _JOINED
    + """
const host = { measure: (text, font) => measure(joined(text), Number(/([\\d.]+)px/.exec(font)[1])),
  png: ({ width, height, pixels }) => png(width, height, new Uint8Array(pixels.buffer).toBase64()) };
return (messages, mode, width) => {
  const opened = JSON.parse(messages).map(({ header, body }) => ({ header, planes: Uint8Array.fromBase64(body) }));
  return joined(file(opened, { mode, width, host }));
};
"""
)
_HEIGHT = (
    _JOINED
    + """
const estimate = (text, size) => measure(joined(text), size);
return (headers, width, cell) => matrixHeight(JSON.parse(headers), { width, cell: cell || null, measure: estimate });
"""
)


def svg(figure: str, messages: Sequence[bytes], mode: Mode = "light", width: int = WIDE) -> str:
    """One file of the component `figure`, once for each of the messages that the component gets, below each other.

    `width` is in px, as on a screen.
    """
    both = [(header, base64.b64encode(body).decode()) for header, body in map(opened, messages)]
    text = "[" + ",".join(f'{{"header":{header},"body":"{body}"}}' for header, body in both) + "]"
    first, *others = figure.split("_")
    code = f"const file = {first}{''.join(map(str.capitalize, others))}File;{_FILE}"
    return _worker.submit(lambda: _function(f"{figure}/file.js", code, os.getpid())(text, mode, width)).result()


def matrix_height(headers: str, width: int, cell: int | None) -> float:
    """The height of the figure `matrix` in px where it is `width` px wide; `headers`: its matrices as JSON."""
    run = _worker.submit(lambda: _function("matrix/height.js", _HEIGHT, os.getpid())(headers, width, cell or 0))
    return float(run.result())


_worker: ThreadPoolExecutor


def _start() -> None:
    global _worker
    _worker = ThreadPoolExecutor(1, thread_name_prefix="figures")


_start()
if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_start)


@cache
def _function(entry: str, code: str, process: int) -> Callable[..., Any]:
    """The function that `code` returns with the module `entry` and what it imports; for the worker of that process."""
    try:
        import quickjs  # only a file needs it, and not every computer has it
    except ImportError as error:
        raise ImportError(
            "SVG and PNG files need the package quickjs-ng, which does not exist for every computer, such as Macs with "
            "an Intel processor."
        ) from error
    context = quickjs.Context()
    context.add_callable("measure", text_width)
    context.add_callable("png", _png)
    function: Callable[..., Any] = context.eval(f"(() => {{{bundle(entry)}\n{code}}})()")
    return function


def _png(width: int, height: int, pixels: str) -> str:
    """The address of a picture of RGBA bytes in base64, as a PNG file, ISO/IEC 15948: header, deflated lines, end."""
    lines = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height, width, 4)[:, :, :3].reshape(height, -1)
    scanlines = np.insert(lines, 0, 0, axis=1)  # the 0 before each line says so

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(scanlines.tobytes(), 9)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()
