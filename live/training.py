"""What a live page trains with: graphs, starting weights and pairs, one file for whichever models the page has."""

import gzip
from functools import cache

from live.model_file import packed
from model.train.browser import ready

NAME = "letters"


@cache
def training_file() -> bytes:
    """The file, compressed; `openTraining` in frontend/training.js reads it."""
    each = ready.READY[NAME]
    parts = {kind: gzip.decompress(ready.graph_file(each.name, kind).read_bytes()) for kind in ready.GRAPHS}
    return packed(ready.described(each), parts | {"start": ready.start(each)})
