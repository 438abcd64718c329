"""Files of live pages: made and packed once, by the process that makes files, and kept here.

Of several processes of a server one makes them for all (`made_once`).

They are named by their content, so that a browser keeps them for good. `SHARED` are those that all pages need;
`TRAINING` is the one that a page trains with, which is not named so: it takes three times as long to make as all the
rest of a page, and few readers train.
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

SHARED, TRAINING = "shared", "training"  # in place of a model's name
PACKED = ".gz"  # ends the names of files that pages unpack by themselves
TRAINING_FILE = f"{TRAINING}{PACKED}"
_KEPT = 4  # models whose files are kept in memory, some 5 MB each


class File(NamedTuple):
    """What is sent: the content, packed, and its ETag."""

    content: bytes
    tag: str


Files = dict[str, File]  # by path; of a page one for each language, `index.en.html`
_lock = threading.Lock()
_making = ThreadPoolExecutor(1, thread_name_prefix="live-files")  # what is asked for first is there first
_made: dict[Entry | str, Future[Files]] = {}  # what was asked for last stands last


def files(of: Entry | str) -> Future[Files]:
    """Files of a model's page, `SHARED` or `TRAINING`; `InvalidInput` for a model that can have none.

    Once a page is there, so is what it shares with others.
    """
    if isinstance(of, Entry):
        files(SHARED)
    with _lock:
        made = _made.pop(of, None)
        if made is None or (made.done() and made.exception()):
            name = f"{of.name}-{of.fingerprint}" if isinstance(of, Entry) else of
            made = _making.submit(made_once, name, partial(workers.call_for_file, _make, of, base()))
        _made[of] = made
        for oldest in [each for each in _made if isinstance(each, Entry)][:-_KEPT]:
            del _made[oldest]
        return made


def forget() -> None:
    """Keep nothing of what was made."""
    with _lock:
        _made.clear()


def _make(of: Entry | str, path: str) -> Files:
    """The same, made here; `path` is that of the app."""
    from live import pages  # which needs torch
    from live.training import training_file

    if of == TRAINING:
        return {TRAINING_FILE: _packed(TRAINING_FILE, training_file())}
    shared = dict(pages.shared_files().values())
    if isinstance(of, str):
        return {name: _packed(name, content) for name, content in shared.items()}
    pages.check(of)
    in_browsers = [name for name, each in catalogue.entries().items() if runs_in_browsers(each)]
    served = pages.Served(f"../{SHARED}/", f"../{TRAINING}/{TRAINING_FILE}", {"base": path, "models": in_browsers})
    try:
        made = dict(pages.folder_files([of], served=served))
    except InvalidInput:  # too large for a browser, or cut by a tokenizer that it cannot have
        made = dict(pages.folder_files([of], f"{path}{ENGINE}", served))
    return {name: _packed(name, content) for name, content in made.items() if name not in shared}


def runs_in_browsers(entry: Entry) -> bool:
    """Whether a browser can run a model of this server: an imported one may have a tokenizer that it cannot."""
    can_read = entry.is_sound() and entry.reads_text and not entry.card.get("imported")
    return can_read and parameters(entry.config) <= IN_BROWSER


def _packed(name: str, content: bytes) -> File:
    packed = content if name.endswith(PACKED) else gzip.compress(content, mtime=0)
    return File(packed, f'"{hashlib.sha256(content).hexdigest()[:16]}"')
