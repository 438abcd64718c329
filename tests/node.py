"""Tests of JavaScript modules, run by the node that Playwright ships."""

import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import playwright
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

NODE = Path(playwright.__file__).parent / "driver" / "node"


def run_tests(files: Iterable[Path], cases: Path, engine: str = "", **computed: Any) -> None:
    """Run `*.test.mjs` files, which find what Python computed for them in the folder that the variable CASES names.

    engine     the address of engines on a server, which they are to ask in place of graphs
    computed   more for them, by the name of its JSON file
    """
    for name, content in computed.items():
        (cases / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    command = [str(NODE), "--test", "--test-isolation=none", "--test-reporter=dot", *sorted(map(str, files))]
    variables = os.environ | {"CASES": str(cases), "ENGINE": engine}
    process = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr


@contextmanager
def hosted(routes: Sequence[Route], middleware: Sequence[Middleware] = ()) -> Iterator[str]:
    """The address of a server that has these routes alone."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=list(routes), middleware=list(middleware)), log_level="warning")
    )
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
