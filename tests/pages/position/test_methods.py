"""The tab of the position page about the ways to give positions."""

import numpy as np
import pytest
from safetensors.torch import load_file

from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from pages.position import model_tables, sine_matrices, sine_settings
from tests.app import sentence, visit
from tests.pages.position.page import frequencies, texts, trained_with_a_table
from tests.samples import LANGUAGES, SAMPLES

pytestmark = pytest.mark.usefixtures("warm")


def test_sinusoidal_learned_and_none_beside_each_other() -> None:
    result = {"trained": ("tuned", np.ones((30, 8))), "untrained": ("new", np.eye(20, 40))}
    fixed, tuned, own, none = sine_matrices.alikeness(sine_settings.Sines(100, 40, 64), result)
    assert fixed.values.shape == tuned.values.shape == own.values.shape == none.values.shape == (20, 20)
    np.testing.assert_allclose(tuned.values, 1)
    assert "tuned" in tuned.note
    assert "new" in own.note
    assert fixed.values[3, 8] == pytest.approx(np.mean([np.cos(5 * theta) for theta in frequencies(40, 100)]))
    np.testing.assert_array_equal(own.values, np.eye(20))
    assert not none.values.any()


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models to choose from, without a session that could have its own."""
    entries = catalogue.sentence_models() | catalogue.untrained(0)
    monkeypatch.setattr(model_tables.current, "models", lambda: entries)


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trained_table_stands_beside_an_untrained_one_by_name(language: str) -> None:
    """The trained one straight from the file of its weights: neighbours alike, but in rows that no sentence reached."""
    app = visit("position", language, show="others")
    name, limit = trained_with_a_table()
    assert name == "reverse-learned"
    entries = model_tables.learned_entries(catalogue.find("de-en"))
    assert [entry.name for entry in entries.values()] == [name, "untrained-bert"]
    table = load_file(SAMPLES / name / "model.safetensors")["position_tables.encoder"].double().numpy()
    np.testing.assert_allclose(model_tables.learned_table(entries["trained"]), table)
    tables = {kind: (each.name, model_tables.learned_table(each)) for kind, each in entries.items()}
    _, tuned, own, _ = sine_matrices.alikeness(sine_settings.Sines(10_000, 64, 64), tables)
    assert name in tuned.note
    assert "untrained-bert" in own.note
    length = 20 + 2  # letters of the longest word, <bos> and <eos>
    neighbours = tuned.values.diagonal(1)
    assert neighbours[1 : length - 2].min() > 0.7
    assert np.abs(neighbours[length:]).max() < 0.4
    assert np.abs(own.values.diagonal(1)).max() < 0.4
    d_model = 64
    assert sentence(language, "position.learned_note", name=name, d_model=d_model, limit=limit) in texts(app)


@pytest.mark.usefixtures("offered")
def test_a_model_with_a_learned_table_is_looked_at_itself() -> None:
    entries = catalogue.untrained(0)
    assert model_tables.learned_entry(entries["untrained-gpt"]).name == "untrained-gpt"
    result = model_tables.learned_entries(entries["untrained-gpt"])
    assert [entry.name for entry in result.values()] == ["reverse-learned", "untrained-gpt"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_learned_table_that_ends_early_says_so(language: str) -> None:
    text = sentence(language, "position.others_rows", rows=30, name="reverse-learned")
    assert text in [caption.value for caption in visit("position", language, show="others", length="64").caption]
    assert text not in [caption.value for caption in visit("position", language, show="others", length="24").caption]


@pytest.mark.parametrize("method", ["relative", "rotary", "alibi"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_positions_in_attention_are_those_of_a_trained_model(method: str, language: str) -> None:
    app = visit("position", language, show="methods", method=method)
    assert f"copy-8-{method}" in texts(app).replace("\\", "")
    assert sentence(language, f"position_methods.{method}_says") in texts(app)


def test_a_rotated_score_depends_on_the_distance_alone_and_is_that_of_the_pass() -> None:
    from model.analysis import positions_in_attention

    checkpoint = checkpoints.load(catalogue.find("copy-8-rotary"))
    values = translate(checkpoint, "glass").trace.values
    name = "encoder.0.self_attention."
    for query, key in ((1, 4), (5, 2), (3, 3)):
        q, k = values[f"{name}unrotated_q"][1, query], values[f"{name}unrotated_k"][1, key]
        scores = positions_in_attention.rotated_scores(q, k, checkpoint.model.config.position_base, 8)
        assert scores[query, key] == pytest.approx(float(values[f"{name}scores"][1, query, key]), abs=1e-4)
        assert positions_in_attention.off_diagonals(scores) < 1e-5
    assert positions_in_attention.off_diagonals(np.arange(9.0).reshape(3, 3)) > 1


def test_biases_over_the_distance_are_those_of_the_pass() -> None:
    from model.analysis import positions_in_attention

    for name in ("copy-8-relative", "copy-8-alibi"):
        checkpoint = checkpoints.load(catalogue.find(name))
        values = translate(checkpoint, "glass").trace.values
        for side in ("encoder", "decoder"):
            bias = values[f"{side}.0.self_attention.position_bias"]  # (H, Q, K)
            distances, heads = positions_in_attention.biases(checkpoint.model, side, 6)
            for column, distance in enumerate(distances.tolist()):
                query, key = max(0, -distance), max(0, distance)
                if max(query, key) < bias.shape[1]:
                    np.testing.assert_allclose(heads[:, column], bias[:, query, key], atol=1e-6)
