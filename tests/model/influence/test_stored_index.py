"""The index that ships with a translator: its cosines against exact ones, its file, and what the command writes."""

from pathlib import Path

import numpy as np
import pytest

from corpora.pairs import Pair
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load, random_model
from model.influence import gradients, stored_index
from model.influence.stored_index import StoredIndex
from tests.model.influence.small import tiny, words_of
from tests.samples import SAMPLES


def made() -> tuple[Checkpoint, stored_index.Arrays]:
    task = tiny()
    checkpoint = Checkpoint("tiny", random_model(task.config, seed=1), task.tokenizer)
    return checkpoint, stored_index.made(checkpoint, task.pairs[:60], task.examples[:40], {"topic": {"food": (3, 59)}})


def test_signs_give_the_cosine_of_the_gradients() -> None:
    checkpoint, arrays = made()
    task, word = tiny(), words_of(tiny(), 2)[-1]
    rows = [word.row - 1, word.row]
    found = StoredIndex(arrays).gradients(checkpoint, word[:2], rows)
    exact = gradients.gradients(checkpoint.model, task.examples[:40], [None] * 40).double().numpy()
    own = gradients.gradients(checkpoint.model, [word[:2]] * 2, rows).double().numpy().sum(axis=0)
    cosines = exact @ own / np.linalg.norm(exact, axis=1) / np.linalg.norm(own)
    assert np.abs(found - cosines).max() < 6 / np.sqrt(gradients.WIDTH)
    assert np.ptp(cosines) > 0.2


def test_rotated_sketches_keep_dot_products_and_have_no_large_numbers() -> None:
    sketches = np.zeros((2, 64), dtype=np.float32)
    sketches[0, 3], sketches[1, [3, 5]] = 2, [1, -4]
    found = gradients.rotated(sketches)
    assert found @ found.T == pytest.approx(sketches @ sketches.T)
    assert np.abs(found[0]) == pytest.approx(2 / 8)


def test_the_nearest_source_is_itself() -> None:
    checkpoint, arrays = made()
    index = StoredIndex(arrays)
    assert index.pairs == list(tiny().pairs[:40])
    nearness = index.nearness(checkpoint, tiny().examples[7][0])
    assert nearness.argmax() == 7
    assert nearness[7] > 0.999


def test_an_index_of_other_weights_or_a_damaged_one_is_none(tmp_path: Path) -> None:
    checkpoint, arrays = made()
    assert stored_index.load(tmp_path, checkpoint) is None
    stored_index.save(tmp_path, arrays)
    found = stored_index.load(tmp_path, checkpoint)
    assert found is not None
    assert found.pairs == found.sample[:40]
    assert found.sample == list(tiny().pairs[:60])
    assert found.groups == {"topic": {"food": (3, 59)}}
    other = Checkpoint("other", random_model(tiny().config, seed=2), tiny().tokenizer)
    assert stored_index.load(tmp_path, other) is None
    for damaged in ({"signs": arrays["signs"][:3]}, {"sample": arrays["sample"][:-9]}):
        stored_index.save(tmp_path, arrays | damaged)
        assert stored_index.load(tmp_path, checkpoint) is None
    (tmp_path / stored_index.FILE).write_bytes(b"PK\x03\x04")
    assert stored_index.load(tmp_path, checkpoint) is None


def test_a_sample_is_filled_with_other_pairs_each_once() -> None:
    pairs, most = tiny().pairs, stored_index.SAMPLE
    assert len(pairs) < most
    found = stored_index.sample(pairs[5:8], pairs, seed=0)
    assert found[:3] == list(pairs[5:8])
    assert sorted(found) == sorted(pairs)
    many = [Pair(str(number), "") for number in range(most + 9)]
    assert len(set(stored_index.sample(many[:4], many, seed=0))) == most


SHIPPED = sorted(SAMPLES.glob(f"*/{stored_index.FILE}"))


@pytest.mark.parametrize("path", SHIPPED, ids=[path.parent.name for path in SHIPPED])
def test_what_ships_is_of_the_weights_that_ship_and_small(path: Path) -> None:
    found = stored_index.load(path.parent, load(Entry(path.parent)))
    assert found is not None, "python -m model training-index"
    assert len(set(found.sample)) == stored_index.SAMPLE
    assert set(found.groups) == {"topic", "pattern"}
    assert sum(each.stat().st_size for each in SHIPPED) < 20_000_000
