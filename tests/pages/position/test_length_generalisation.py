"""The tab of the position page about more letters than in training."""

import re

import pytest

from corpora.tasks.sequences import Sequences
from model.checkpoint import catalogue, checkpoints
from model.decode import length_generalisation
from model.decode.translate import translate
from tests.app import sentence, visit
from tests.pages.position.page import texts

pytestmark = pytest.mark.usefixtures("warm")


def test_words_longer_than_in_training_come_out_wrong(charted: dict[str, list[dict]]) -> None:
    app = visit("position", show="longer", letters="24", checkpoint="reverse")
    rows = charted["longer_exact"]
    assert {row["model"] for row in rows} == {f"reverse{end}" for end in ("", "-learned", "-no-position", "-post-norm")}
    longest = Sequences("reverse").longest  # of the words that training shows
    for row in rows:
        if row["model"] == "reverse-learned" and row["letters"] > 28:  # 30 rows, of which <bos> and <eos> take two
            assert row["exact"] is row["letters_right"] is None
        elif row["letters"] > longest:
            assert row["exact"] == 0
            assert row["letters_right"] < 0.3
        elif row["model"] != "reverse-no-position":
            assert row["exact"] >= 0.9
    assert {row["letters"] for row in rows} == set(range(2, 2 * longest + 1, 2))
    assert sentence("en", "position_longer.says", letters=longest, count=20, best="0%") in texts(app)
    word, answer = re.findall("“([a-z]+)”", texts(app))[:2]
    assert (len(word), word[::-1]) == (24, answer)


def test_every_way_to_give_positions_has_a_curve_beyond_training(charted: dict[str, list[dict]]) -> None:
    app = visit("position", show="longer")
    rows = charted["longer_right"]
    ends = ("", "-learned", "-relative", "-rotary", "-alibi", "-no-position")
    assert {row["model"] for row in rows} == {f"copy-8{end}" for end in ends}
    assert {row["letters"] for row in rows} == set(range(2, 21, 2))
    assert "more than 8 letters" in texts(app)


def test_a_longer_table_changes_nothing_for_short_words() -> None:
    checkpoint = checkpoints.load(catalogue.find("reverse"))
    result = length_generalisation.by_letters(checkpoint, "reverse", (4, 60), 2)
    assert result.exact.tolist() == [1, 0]
    assert checkpoint.model.config.max_length < 60  # the model itself is as it was
    assert result.samples[0][1] == translate(checkpoint, result.samples[0][0]).text
