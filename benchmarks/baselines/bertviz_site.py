"""BertViz's model view as a page of a local server, with its scripts beside it."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

# The page loads d3 and jQuery from another host, through require.js. Both come from installed packages
# instead (d3 in the very version it asks for); four lines stand in for require.js, which spares BertViz
# 17 kB and one request.
_SCRIPTS = {"d3.js": ("mpld3", "js/d3.v5.min.js"), "jquery.js": ("xstatic.pkg.jquery", "data/jquery.min.js")}
_INSTEAD = """<script src="jquery.js"></script><script src="d3.js"></script><script>
const require = { config() {} };
const requirejs = (names, run) => run(jQuery, d3);
</script>"""


@contextmanager
def bertviz_site(weights: np.ndarray, labels: tuple[str, ...]) -> Iterator[str]:
    """The address of a page that shows `weights` (L, H, Q, K)."""
    with TemporaryDirectory() as folder:
        site = Path(folder)
        (site / "index.html").write_text(_page(weights, labels), encoding="utf-8")
        for name, (package, file) in _SCRIPTS.items():
            (site / name).write_bytes((_folder_of(package) / file).read_bytes())
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            server.server_close()


def _page(weights: np.ndarray, labels: tuple[str, ...]) -> str:
    import torch
    from bertviz import model_view

    layers = [torch.from_numpy(layer)[None] for layer in weights]  # (1, H, Q, K) each
    figure = model_view(layers, list(labels), display_mode="light", html_action="return").data
    body, count = re.subn(r'<script src="https://[^"]*require[^"]*"></script>', lambda _: _INSTEAD, figure)
    if count != 1:
        raise RuntimeError("this version of BertViz loads its scripts in another way")
    return f'<!doctype html><meta charset="utf-8"><body>{body}</body>'


def _folder_of(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed; see requirements-bench.txt")
    return Path(next(iter(spec.submodule_search_locations)))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
