"""Fixtures of most tests of changes."""

import pytest

from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation, translate
from tests.samples import KINO, german_english


@pytest.fixture(scope="module")
def checkpoint() -> Checkpoint:
    return german_english()


@pytest.fixture(scope="module")
def run(checkpoint: Checkpoint) -> Translation:
    return translate(checkpoint, KINO)
