"""Words and positions in space: every point is the projection of a vector that the model has."""

import numpy as np
import pytest

from model.decode.translate import translate
from pages.embedding import space
from tests.app import downloads, said, sentence, table, visit
from tests.samples import KINO, LANGUAGES, german_english

pytestmark = pytest.mark.usefixtures("warm")


@pytest.mark.sample(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_path_leads_through_the_model_s_own_vectors(language: str) -> None:
    app = visit("embedding", language, show="space")
    assert said(app) == []
    rows = table(app, "space")
    model, values = german_english().model, translate(german_english(), KINO).trace.values
    scaled = model.source_embedding.weight.numpy().astype(float) * np.sqrt(model.config.d_model)
    centre = scaled.mean(axis=0)
    _, _, axes = np.linalg.svd(scaled - centre, full_matrices=False)  # another way to the same axes, up to their sign
    names = ["encoder.embedding", "encoder.input", *(f"encoder.{n}.feed_forward.residual" for n in range(3))]
    points = rows[["component_1", "component_2", "component_3"]].to_numpy().reshape(8, 5, 3)
    for at, name in enumerate(names):
        expected = (values[name] - centre) @ axes[:3].T
        assert np.abs(points[:, at]) == pytest.approx(np.abs(expected), abs=2e-3)
    assert list(rows["word"][::5])[5] == "5 Kino"
    assert rows["place"][0] == sentence(language, "embedding_space.looked_up")


def test_the_file_has_the_buttons_of_the_page_s_language() -> None:
    html = downloads(visit("embedding", "zh", show="space"))["html_space"].make().decode()
    assert sentence("zh", "embedding_space_buttons.camera") in html


def test_the_positions_are_those_of_the_model() -> None:
    rows = table(visit("embedding", show="space"), "curve")
    vectors = german_english().model.sinusoids.numpy()[: space.TURNS]
    centred = vectors - vectors.mean(axis=0)
    points = rows[["component_1", "component_2", "component_3"]].to_numpy()
    assert np.linalg.norm(points, axis=1).max() <= np.linalg.norm(centred, axis=1).max() + 1e-4
    share = (points**2).sum() / (centred**2).sum()
    variances = np.linalg.svd(centred, compute_uv=False) ** 2
    assert share == pytest.approx(variances[:3].sum() / variances.sum(), abs=1e-4)


@pytest.mark.sample(3)
@pytest.mark.parametrize("checkpoint", ["de-en", "gpt-char", "copy-8-rotary", "reverse-learned", "untrained-bert"])
def test_two_dimensions_and_the_table_are_there_for_every_model(checkpoint: str) -> None:
    for axes in space.VIEWS:
        app = visit("embedding", "zh", checkpoint=checkpoint, show="space", axes=axes)
        assert said(app) == []
        tables = [element for element in app.main.get("html") if "gf-plain" in element.proto.body]
        assert bool(tables) == (axes == "table")
        assert bool(app.main.get("plotly_chart")) == (axes != "table")
