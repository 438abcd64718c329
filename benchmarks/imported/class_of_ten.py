"""Ten users of a model of opus-mt's size, each with another sentence every ten seconds, beside others on Start.

`python -m benchmarks.imported.class_of_ten` prints how long they wait on /attention and /decoding, and how long ten
users of `de-en` on the first page wait meanwhile. Weights are random, as `page.py` says.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from benchmarks.class_load import load, sentences, warm
from benchmarks.harness.server import ROOT, streamlit
from benchmarks.imported.page import NAME, made_up_sentence, save_checkpoint

USERS, ROUNDS = 10, 3
PAGES = ("attention", "decoding")


async def _both(address: str, page: str, made_up: Iterator[str], others: Iterator[str]) -> None:
    """Print the waits of both classes, who are there at the same time."""
    large, small = await asyncio.gather(
        load(address, f"{page}?checkpoint={NAME}", made_up, visitors=USERS, rounds=ROUNDS),
        load(address, "?checkpoint=de-en", others, visitors=USERS, rounds=ROUNDS),
    )
    print(large, small, sep="\n", flush=True)


def main() -> int:
    made_up, others = map(made_up_sentence, count(1)), sentences()
    print(f"{'page':<12}{'median':>8}{'p95':>8}{'longest':>8}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        save_checkpoint(Path(folder) / NAME)
        shutil.copytree(ROOT / "sample_checkpoints" / "de-en", Path(folder) / "de-en")
        with streamlit(ROOT / "app.py", {"GLASSFORMER_CHECKPOINTS": folder}) as address:
            warm(address)
            for page in PAGES:
                asyncio.run(_both(address, page, made_up, others))
    return 0


if __name__ == "__main__":
    sys.exit(main())
