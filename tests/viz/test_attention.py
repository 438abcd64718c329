"""The attention figure: what goes to the browser, and the two ways out of it."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.samples import opened_attention
from tests.viz.colours import ink_on, weight_colour
from tests.viz.pictures import attention_svg
from viz.components import attention
from viz.components.attention import attention_data, attention_rows
from viz.components.matrix import matrix_data
from viz.data import KINDS, AttentionPanel, Look, Pin
from viz.notebook.texts import attention_words
from viz.palette import HEADS, KIND, SURFACE, palette, ramp

PLACEHOLDERS = {"head_name": "{kind} {layer} {head}"}
WORD = {name: PLACEHOLDERS.get(name, name) for name in attention_words("en", written=True)}


def softmax(shape, spread=1.0, seed=0):
    scores = np.random.default_rng(seed).normal(size=shape) * spread
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def panel(kind="cross", layers=2, heads=3, rows=4, columns=5, **changes):
    result = AttentionPanel(
        kind=kind,
        weights=softmax((layers, heads, rows, columns)),
        queries=tuple(f"q{i}" for i in range(rows)),
        keys=tuple(f"k{i}" for i in range(columns)),
        query_specials=(False,) * (rows - 1) + (True,),
        key_specials=(False,) * columns,
        read=tuple(f"r{i}" for i in range(rows)) if kind == "cross" else (),
    )
    return replace(result, **changes)


def pack(panels, view="matrix", kind="cross", layer=1, head=2, words=WORD, pin=None, held=None):
    return attention_data(panels, Look(view, kind, layer, head, pin), words, held=held)


def test_every_weight_arrives_nearly_exact():
    panels = [panel(kind, rows=4, columns=5 if kind == "cross" else 4) for kind in KINDS]
    header, values = opened_attention(pack(panels[::-1]))
    assert [p["kind"] for p in header["panels"]] == list(KINDS)
    sent = np.concatenate([p.weights.ravel() for p in panels])
    assert np.abs(values - sent).max() < 1.5 / 65535


def test_the_header_carries_labels_selection_and_words():
    header, _ = opened_attention(pack([panel(queries=("影院", '"<b>', "{query}", "<eos>"))]))
    assert header["panels"][0]["queries"] == ["影院", '"<b>', "{query}", "<eos>"]
    assert header["panels"][0]["querySpecials"] == [0, 0, 0, 1]
    assert header["selection"] == {"kind": "cross", "layer": 1, "head": 2}
    assert header["words"] == WORD
    header, _ = opened_attention(pack([panel()], pin=Pin("cross", 3, None)))
    assert header["selection"]["pin"] == {"kind": "cross", "query": 3, "key": None}


@pytest.mark.parametrize("spread", [0.3, 1.0, 3.0])
def test_48_heads_of_64_by_64_stay_small(spread):
    big = panel(layers=6, heads=8, rows=64, columns=64, weights=softmax((6, 8, 64, 64), spread))
    assert len(pack([big])) < 320_000


def test_only_a_new_picture_has_a_new_digest():
    def digest(**changes):
        return opened_attention(pack([panel()], **changes))[0]["digest"]

    assert digest() == digest(layer=0, head=0) == digest(pin=Pin("cross", 1, None))
    assert digest() != digest(view="links")
    assert digest() != digest(words=WORD | {"scale": "Gewicht"})


def test_links_carry_only_what_they_show():
    header, values = opened_attention(pack([panel("encoder", columns=4), panel()], view="links"))
    assert [p["kind"] for p in header["panels"]] == ["cross"]
    assert values.size == panel().weights.size


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"queries": ("a", "b")}, "need 4 queries"),
        ({"keys": ("a",) * 6}, "need 5 keys"),
        ({"key_specials": ()}, "need 5 key_specials"),
        ({"read": ("a",)}, "need 4 read"),
        ({"weights": np.ones((2, 4, 5))}, "shape"),
        ({"weights": np.full((2, 3, 4, 5), np.nan)}, "not numbers"),
        ({"weights": np.full((2, 3, 4, 5), 1.5)}, "between 0 and 1"),
        ({"weights": np.full((2, 3, 4, 5), -0.2)}, "between 0 and 1"),
        ({"kind": "encoder", "read": ("a",) * 4}, "Only cross-attention"),
        ({"kind": "self"}, "one of encoder, decoder, cross"),
    ],
)
def test_bad_panels_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        panel(**changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kind": "encoder"}, "no encoder attention here, but cross"),
        ({"panels": [panel(), panel()]}, "one panel of each kind"),
        ({"layer": 2}, "there is no layer=2"),
        ({"head": -1}, "there is no head=-1"),
        ({"view": "wall"}, "links or matrix"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        pack(**{"panels": [panel()]} | changes)


def test_a_step_over_one_by_rounding_is_no_error():
    weights = softmax((2, 3, 4, 5))
    weights[0, 0, 0] = [1 + 1e-6, 0, 0, 0, 0]
    _, values = opened_attention(pack([panel(weights=weights)]))
    assert values.max() == 1


def test_the_table_has_every_weight_and_rows_that_sum_to_one():
    table = attention_rows(panel(), 1, 2)
    assert len(table) == 4 * 5
    for query in range(4):
        assert sum(line["weight"] for line in table if line["query_index"] == query) == pytest.approx(1, abs=1e-6)
    assert table[6] == {
        "query_index": 1, "query": "q1", "read": "r1", "key_index": 1, "key": "k1",
        "weight": float(panel().weights[1, 2, 1, 1]),
    }  # fmt: skip


SPACE = "{http://www.w3.org/2000/svg}"


def drawn(*panels: AttentionPanel, words: dict[str, str] = WORD, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(attention_svg([(each, 1, 2) for each in panels], words, **options))


def texts_of(root: ElementTree.Element) -> list[str]:
    return [node.text for node in root.iter(f"{SPACE}text")]


@pytest.mark.parametrize("view", ["matrix", "links"])
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_svg_parses_and_shows_markup_as_text(view, mode):
    nasty = panel(keys=("<i>alert</i>", "&amp;", "影", "\x00\n", " "))
    about = {"about_cross": "rows <are> queries", "about_links": "rows <are> queries"}
    root = drawn(nasty, words=WORD | about, mode=mode, view=view)
    texts = texts_of(root)
    assert {"<i>alert</i>", "&amp;", "影", "rows <are> queries", "cross 1 2"} <= set(texts)
    assert [text for text in texts if text in ("q0", "q1", "q2", "q3")] == ["q0", "q1", "q2", "q3"]
    assert root.find(f"{SPACE}title").text == "cross 1 2"
    assert not list(root.iter(f"{SPACE}i"))


def test_each_cell_of_a_map_says_its_weight():
    cells = [cell for cell in drawn(panel()).iter(f"{SPACE}rect") if len(cell)]
    assert len(cells) == 4 * 5
    assert cells[6][0].text == f"q1 → k1   {panel().weights[1, 2, 1, 1]:.3f}"


def test_a_large_map_is_one_image():
    [image] = drawn(panel(rows=60, columns=60)).iter(f"{SPACE}image")
    assert image.get("width") == image.get("height")


def test_heads_of_two_models_stand_below_each_other():
    one, two = (float(drawn(*[panel()] * count).get("height")) for count in (1, 2))
    assert two == 2 * one


@pytest.mark.parametrize("length", [5, 40])
def test_the_links_as_svg_name_both_sides(length):
    texts = texts_of(drawn(panel(rows=length, columns=length), view="links"))
    assert {"keys_cross", "queries_cross", "q0", "k0", f"q{length - 1}", f"k{length - 1}"} <= set(texts)


def test_a_line_is_as_strong_as_its_weight():
    """As on the screen: the lines of one query stand out, and a weight too small to see has none."""
    weights = np.zeros((2, 3, 2, 3), np.float32)
    weights[..., 0] = 1
    weights[1, 2] = [[0.9, 0.08, 0.02], [0.5, 0.45, 0.05]]
    own_panel = panel(rows=2, columns=3, weights=weights, query_specials=(False, False), read=())
    paths = list(drawn(own_panel, view="links").iter(f"{SPACE}path"))
    lines = {line.find(f"{SPACE}title").text[-5:]: line for line in paths if len(line)}
    # 0.02 and 0.08 are of the query that stands out
    assert sorted(lines) == ["0.020", "0.050", "0.080", "0.450", "0.500", "0.900"]
    assert {line.get("stroke") for line in lines.values()} == {HEADS["light"][2]}
    assert float(lines["0.900"].get("stroke-width")) > float(lines["0.500"].get("stroke-width"))
    assert float(lines["0.080"].get("opacity")) > float(lines["0.500"].get("opacity"))
    squares = [float(path.get("opacity", 1)) for path in paths if path.get("fill") in HEADS["light"]]
    assert squares == pytest.approx([1, 1, 0.9, 0, 0, 0.08, 0, 0, 0.02], abs=1e-3)


def test_colours_run_evenly_from_the_card_to_the_kind():
    for mode in ("light", "dark"):
        for kind in KINDS:
            assert ramp(kind, mode)[-1] == KIND[kind][mode]
            assert weight_colour(1.0, kind, mode) == KIND[kind][mode]
            assert weight_colour(0.0, kind, mode) == SURFACE[mode]["card"]
    assert ink_on("#ffffff") == "#000000"
    assert ink_on("#0b7a75") == "#ffffff"
    json.dumps(palette())


@pytest.mark.parametrize("component", [attention, matrix_data])
def test_the_browser_module_writes_no_html(component):
    assert component.FRONTEND.js.count("export default") == 1
    assert "innerHTML" not in component.FRONTEND.js
