"""The embedding page against the checkpoint's file: rows, sums, neighbours, the map, pieces and padding."""

import json
import re
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from safetensors.numpy import load_file
from streamlit.testing.v1 import AppTest
from vl_convert import vegalite_to_vega

from corpora.analogies import questions
from model.checkpoint.checkpoints import Checkpoint
from pages.shared.models import warmup
from pages.shared.text.words import all_texts
from tests.app import controls, enter, inside, nothing_is_marked_up, said, sentence, visit
from tests.figures import check_chart, watching_figures
from tests.model.checkpoint.test_chinese import chinese_english
from tests.samples import BUCH, KINO, LANGUAGES, SAMPLES, german_english, in_turn, spanish_english
from viz.figures.chart import Chart
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")

TABLE = load_file(SAMPLES / "de-en" / "model.safetensors")["source_embedding.weight"].astype(np.float64)  # (V, 144)
IDS = german_english().tokenizer.encode(KINO)
TOKENS = german_english().tokenizer.tokens(IDS)
OTHERS = ("untrained-mini-encoder", "untrained-gpt", "untrained-bert")


@pytest.fixture
def figures() -> Iterator[dict[str, dict]]:
    """Every chart that the page shows, by its name, as its specification."""
    result: dict[str, dict] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, Chart):
            check_chart(figure.spec)
            result[name] = figure.spec

    with watching_figures(keep):
        yield result


def values(spec: dict, field: str) -> list[dict]:
    """The rows of a chart's data that have a field."""
    results = [part["data"]["values"] for part in (spec, *spec.get("layer", [])) if "data" in part]
    tables = [json.loads(rows) if isinstance(rows, str) else rows for rows in results]
    return next(rows for rows in tables if field in rows[0])


def positions(length: int) -> np.ndarray:
    """Section 3.5 by the book, (length, 144)."""
    rows = np.zeros((length, 144))
    for m in range(length):
        for i in range(72):
            angle = m / 10_000 ** (2 * i / 144)
            rows[m, 2 * i], rows[m, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return rows


def captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.main.caption)


@pytest.mark.parametrize(("show", "name"), [("near", "embedding-map"), ("arithmetic", "analogy-map")])
def test_each_kind_of_point_has_its_own_size(figures: dict, show: str, name: str) -> None:
    """Vega spaces the sizes of an unsorted kind evenly between the first two, unless it is told not to."""
    visit("embedding", show=show)
    scales = vegalite_to_vega(figures[name] | {"width": 640})["scales"]
    [size] = [scale for scale in scales if scale["name"] == "size"]
    assert size["type"] == "ordinal"


@in_turn("show", ["way", "near", "odd"])
def test_each_figure_in_each_language(show: str, language: str) -> None:
    app = visit("embedding", language, show=show)
    assert [title.value for title in app.title] == [sentence(language, "embedding.question")]
    titles = {
        "way": ["way_title"],
        "near": ["neighbours_title", "map_title"],
        "odd": ["unknown_title", "padding_title"],
    }
    assert [head.value for head in app.header] == [sentence(language, f"embedding.{key}") for key in titles[show]]
    assert said(app) == []
    nothing_is_marked_up(app)


def test_the_steps_of_a_token_are_those_of_the_file(drawn: dict) -> None:
    app = visit("embedding", token="5", dimension="7")
    steps = drawn["steps"]
    assert steps.values.shape == (4, 144)
    np.testing.assert_allclose(steps.values[0], TABLE[IDS[5]], atol=1e-7)
    np.testing.assert_allclose(steps.values[1], 12 * TABLE[IDS[5]], atol=1e-5)
    np.testing.assert_allclose(steps.values[2], positions(6)[5], atol=1e-5)
    np.testing.assert_allclose(steps.values[3], 12 * TABLE[IDS[5]] + positions(6)[5], atol=1e-5)
    options = controls(app)["token"].options
    assert [int(option.rpartition("[")[2].rstrip("]")) for option in options] == IDS
    [formula] = [text.value for text in app.latex if "aligned" in text.value]
    row, root, position = (float(number) for number in re.findall(r"underbrace\{\(?(-?[\d.]+)\)?\}", formula))
    total = float(re.findall(r"&= (-?[\d.]+) ", formula)[-1])
    assert root == 12
    assert row == pytest.approx(TABLE[IDS[5], 7], abs=1e-5)
    assert f"{row * root + position:.4f}" == f"{total:.4f}"
    assert total == pytest.approx(12 * TABLE[IDS[5], 7] + positions(6)[5, 7], abs=1e-4)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_the_whole_sentence_adds_up(side: str, drawn: dict) -> None:
    app = visit("embedding", rows="sentence", side=side)
    embedding, position, total = (drawn[key].values for key in ("embedding", "position", "input"))
    np.testing.assert_allclose(total, embedding + position, atol=1e-5)
    np.testing.assert_allclose(position, positions(len(total)), atol=1e-5)
    options = controls(app)["token"].options
    ids = [int(option.rpartition("[")[2].rstrip("]")) for option in options]
    np.testing.assert_allclose(embedding, 12 * TABLE[ids], atol=1e-5)
    if side == "encoder":
        assert ids == IDS
    else:
        assert "cinema" in german_english().tokenizer.decode(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_recorded_numbers_stand_in_until_the_model_is_warm(
    language: str, drawn: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "_ready", threading.Event())
    app = visit("embedding", language)
    assert sentence(language, "embedding.recorded") in captions(app)
    np.testing.assert_allclose(drawn["steps"].values[0], TABLE[IDS[5]], atol=1e-3)
    assert sentence(language, "embedding.wait") in captions(visit("embedding", language, show="near"))


def test_the_shapes_stand_under_the_steps() -> None:
    flow = "".join(element.proto.body for element in visit("embedding").get("html"))
    for shape in ("25 characters", "(8)", "(6,500, 144)", "(8, 144)"):
        assert shape in flow


def test_neighbours_are_those_of_brute_force(figures: dict) -> None:
    visit("embedding", show="near", token="5")
    own = TABLE[IDS[5]]
    cosines = [float(row @ own / np.linalg.norm(row) / np.linalg.norm(own)) for row in TABLE]
    expected = sorted((i for i in range(len(TABLE)) if i != IDS[5]), key=lambda i: -cosines[i])[:10]
    on_screen = values(figures["embedding-neighbours"], "cosine")
    assert [row["id"] for row in on_screen] == expected
    assert [row["cosine"] for row in on_screen] == pytest.approx([cosines[i] for i in expected], abs=1e-4)
    assert on_screen[0]["token"] == german_english().tokenizer.tokens([expected[0]])[0]


def test_the_map_is_that_of_the_singular_values(figures: dict) -> None:
    app = visit("embedding", show="near", token="5")
    centred = TABLE - TABLE.mean(axis=0)
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)
    shares = singular**2 / (singular**2).sum()
    assert f"{shares[:2].sum():.1%}" in captions(app)
    assert "142" in captions(app)
    points = values(figures["embedding-map"], "x")
    assert len({point["id"] for point in points}) == len(points) < 450
    assert set(IDS) <= {point["id"] for point in points}
    for point in points:
        expected = np.abs(left[point["id"], :2] * singular[:2])
        np.testing.assert_allclose(np.abs([point["x"], point["y"]]), expected, atol=1e-4)
    [one] = [p for p in points if p["kind"] == all_texts("en")["embedding_chart.kind_chosen"]]
    assert (one["id"], one["token"]) == (IDS[5], "Kino")


@pytest.mark.parametrize(("language", "quoted"), {"en": "“票”", "zh": "“票”", "es": "«票»"}.items())
def test_an_unknown_character_is_named(language: str, quoted: str) -> None:
    app = visit("embedding", language, show="odd", word="Kino 票<b>")
    ids = german_english().tokenizer.encode("Kino 票<b>")[1:-1]
    assert 3 in ids
    texts = inside(app, "pieces")
    assert sentence(language, "embedding.pieces", count=len(ids), word="Kino 票<b>") in texts
    assert sentence(language, "embedding.unknown", characters=quoted) in texts
    html = re.sub(r"<aside.*?</aside>", "", "".join(element.proto.body for element in app.get("html")), flags=re.DOTALL)
    assert "<b>" not in html
    assert "&lt;unk&gt;" in html
    assert "&lt;" in html.replace("&lt;unk&gt;", "")
    page_of_kino = visit("embedding", language, show="odd", word="Kino")
    assert inside(page_of_kino, "pieces") == [sentence(language, "embedding.pieces", count=1, word="Kino")]


def test_padding_gets_exactly_nothing(figures: dict) -> None:
    app = visit("embedding", show="odd", padding="4")
    rows = values(figures["embedding-padding"], "share")
    shares = {mask: [row["share"] for row in rows if row["mask"] == mask] for mask in {row["mask"] for row in rows}}
    masked, unmasked = (shares[all_texts("en")[f"embedding_chart.{name}"]] for name in ("masked", "unmasked"))
    assert len(masked) == len(unmasked) == len(IDS) + 4
    assert masked[-4:] == [0] * 4
    assert all(share > 0 for share in unmasked[-4:])
    assert sum(masked) == pytest.approx(1, abs=1e-3)
    assert sum(unmasked) == pytest.approx(1, abs=1e-3)
    first, second = inside(app, "padding_says")
    assert "weight on padding 0," in first
    assert float(re.findall(r"outputs ([\d.]+)\.", second)[0]) > 0.01


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("show", ["way", "near", "odd"])
def test_other_systems_show_what_they_have(show: str, name: str, drawn: dict, figures: dict) -> None:
    app = visit("embedding", checkpoint=name, show=show)
    assert said(app) == []
    if show == "way":
        assert drawn["steps"].values.shape[0] == 3  # none of them multiplies by √d_model
        np.testing.assert_allclose(drawn["steps"].values[:2].sum(axis=0), drawn["steps"].values[2], atol=1e-5)
        assert all_texts("en")["embedding.unscaled"] in captions(app)
    elif show == "near":
        assert "chance" in captions(app)
        assert len(values(figures["embedding-neighbours"], "cosine")) == 10
    else:
        side = "decoder" if "gpt" in name else "encoder"
        assert all_texts("en")[f"embedding.padding_{side}"] in captions(app)
        padding = [row["share"] for row in values(figures["embedding-padding"], "share") if "<pad>" in row["token"]]
        assert padding[:3] == [0, 0, 0]


@in_turn(
    ("asked", "value"),
    [("token", "two"), ("token", "-1"), ("show", "sideways"), ("rows", "<b>"), ("dimension", "x"), ("side", "both")],
)
def test_a_setting_that_is_none_is_said(asked: str, value: str, language: str) -> None:
    [notice] = said(visit("embedding", language, **{asked: value}))
    assert value in notice


def test_a_token_is_kept_inside_a_shorter_sentence() -> None:
    app = visit("embedding", token="60")
    assert controls(app)["token"].value == len(IDS) - 1
    assert said(app) == []
    app = enter(visit("embedding", token="7"), BUCH)
    assert controls(app)["token"].value == len(german_english().tokenizer.encode(BUCH)) - 1


@pytest.mark.parametrize(
    ("name", "model"), [("de-en", german_english), ("zh-en", chinese_english), ("es-en", spanish_english)]
)
def test_the_words_to_take_apart_have_what_this_model_lacks(name: str, model: Callable[[], Checkpoint]) -> None:
    app, tokenizer = visit("embedding", checkpoint=name, show="odd"), model().tokenizer
    first = app.text_input(key="word").value
    app.button(key="try_1").click().run()
    another = app.text_input(key="word").value
    assert another != first
    assert another in app.button(key="try_1").label
    for word in (first, another):
        known, *unknown = word.split()
        assert tokenizer.unknown_characters(*unknown)
        assert not tokenizer.unknown_characters(known)
        assert len(tokenizer.pieces(known)) > 1


def test_a_token_chosen_by_hand_stands_in_the_address() -> None:
    app = visit("embedding")
    assert TOKENS[controls(app)["token"].value] == "Kino"
    controls(app)["token"].set_value(1).run()
    assert not app.exception
    assert app.query_params["token"] in ("1", ["1"])


@pytest.mark.parametrize("step", range(4))
def test_the_steps_to_try_set_the_page_up(step: int) -> None:
    app = visit("embedding", show="way")
    app.button(key=f"try_{step}").click().run()
    assert not app.exception
    assert controls(app)["show"].value == ("near", "odd", "odd", "frequencies")[step]


# a − b + c


def test_vector_arithmetic_is_that_of_the_table(figures: dict) -> None:
    app = visit("embedding", show="arithmetic", plus="Schwester", minus="Bruder", also="Freund")
    names = german_english().tokenizer.tokens(range(len(TABLE)))
    ids = [names.index(name) for name in ("Schwester", "Bruder", "Freund")]
    total = TABLE[ids[0]] - TABLE[ids[1]] + TABLE[ids[2]]
    cosines = TABLE @ total / np.linalg.norm(TABLE, axis=1).clip(1e-9) / np.linalg.norm(total)
    order = [int(i) for i in np.argsort(-cosines)]
    expected = [i for i in order if i not in ids][:5]
    assert [row["id"] for row in values(figures["analogy-nearest"], "id")] == expected
    said_own = sentence("en", "embedding_analogies.own", nearest=names[order[0]], cosine=f"{cosines[order[0]]:.2f}")
    assert said_own in [text.value for text in app.text]
    points = {row["token"]: (row["x"], row["y"]) for row in values(figures["analogy-map"], "kind")}
    b, a, c = (np.array(points[name]) for name in ("Bruder", "Schwester", "Freund"))
    np.testing.assert_allclose(points[all_texts("en")["embedding_analogies.kind_sum"]], a - b + c, atol=2e-3)


def test_the_questions_are_counted_with_and_without_the_tokens_themselves() -> None:
    app = visit("embedding", show="arithmetic")
    names = german_english().tokenizer.tokens(range(len(TABLE)))
    asked = np.array([question for group in questions(names).values() for question in group])
    directions = TABLE / np.linalg.norm(TABLE, axis=1, keepdims=True).clip(1e-9)
    a, b, c, d = asked.T
    near = (TABLE[a] - TABLE[b] + TABLE[c]) @ directions.T
    own, count = int((near.argmax(axis=1) == d).sum()), len(asked)
    np.put_along_axis(near, asked[:, :3], -np.inf, axis=1)
    right = int((near.argmax(axis=1) == d).sum())
    assert count > 500
    assert own < right
    line = sentence("en", "embedding_analogies.counted", count=count, right=right, own=own)
    assert line in [text.value for text in app.text]
    values_chosen = [app.selectbox(key=key).value for key in ("plus", "minus", "also")]
    assert values_chosen == ["Lehrerin", "Lehrer", "Arzt"]  # the first question that comes out right


@pytest.mark.sample(3)
@in_turn("name", ["untrained-mini-encoder", "llm-decoder-only", "reverse", "notebook-c"])
def test_every_model_can_calculate(name: str, language: str, figures: dict) -> None:
    app = visit("embedding", language, checkpoint=name, show="arithmetic")
    assert said(app) == []
    assert len(values(figures["analogy-nearest"], "cosine")) == 5
