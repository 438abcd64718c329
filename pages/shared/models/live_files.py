"""Files of live pages: made and packed once, by the process that makes files, and kept here.

Of several processes of a server one makes them for all (`made_once`).

They are named by their content, so that a browser keeps them for good. `SHARED` are those that all pages need.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.checkpoint.model_size import IN_BROWSER, parameters
from model.errors import InvalidInput
from pages.shared.links import ENGINE
from pages.shared.load import workers
from pages.shared.load.made_once import made_once
from pages.shared.session.base_path import base

SHARED = "shared"  # in place of a model's name
PACKED = ".gz"  # ends the names of files that pages unpack by themselves
_KEPT = 4  # models whose files are kept in memory, some 5 MB each


class File(NamedTuple):
    """What is sent: the content, packed, and its ETag."""

    content: bytes
    tag: str


Files = dict[str, File]  # by path; of a page one for each language, `index.en.html`
_lock = threading.Lock()
_making = ThreadPoolExecutor(1, thread_name_prefix="live-files")  # what is asked for first is there first
_made: dict[Entry | None, Future[Files]] = {}  # what was asked for last stands last; None is what all pages share


def files(entry: Entry | None) -> Future[Files]:
    """Files of a model's page, or those that all pages share; `InvalidInput` for a model that can have none.

    Once a page is there, so is what it shares with others.
    """
    if entry is not None:
        files(None)
    with _lock:
        made = _made.pop(entry, None)
        if made is None or (made.done() and made.exception()):
            name = SHARED if entry is None else f"{entry.name}-{entry.fingerprint}"
            made = _making.submit(made_once, name, partial(workers.call_for_file, _make, entry, base()))
        _made[entry] = made
        for oldest in [each for each in _made if each is not None][:-_KEPT]:
            del _made[oldest]
        return made


def forget() -> None:
    """Keep nothing of what was made."""
    with _lock:
        _made.clear()


def _make(entry: Entry | None, path: str) -> Files:
    """The same, made here; `path` is that of the app."""
    from live import pages  # which needs torch

    shared = dict(pages.shared_files().values())
    if entry is None:
        return {name: _packed(name, content) for name, content in shared.items()}
    pages.check(entry)
    in_browsers = [name for name, each in catalogue.entries().items() if runs_in_browsers(each)]
    served = pages.Served(f"../{SHARED}/", {"base": path, "models": in_browsers})
    try:
        made = dict(pages.folder_files([entry], served=served))
    except InvalidInput:  # too large for a browser, or cut by a tokenizer that it cannot have
        made = dict(pages.folder_files([entry], f"{path}{ENGINE}", served))
    return {name: _packed(name, content) for name, content in made.items() if name not in shared}


def runs_in_browsers(entry: Entry) -> bool:
    """Whether a browser can run a model of this server: an imported one may have a tokenizer that it cannot."""
    can_read = entry.is_sound() and entry.reads_text and not entry.card.get("imported")
    return can_read and parameters(entry.config) <= IN_BROWSER


def _packed(name: str, content: bytes) -> File:
    packed = content if name.endswith(PACKED) else gzip.compress(content, mtime=0)
    return File(packed, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
