"""The matrix figure: what goes to the browser, what is refused, and the two ways out of it."""

import base64
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.samples import opened
from tests.viz.colours import signed_colour
from tests.viz.pictures import matrix_svg
from viz.components.matrix.matrix_data import matrix_data, matrix_rows
from viz.data import Matrix, Selection
from viz.notebook.texts import matrix_words
from viz.palette import KIND, QUANTITY, SIGN, SURFACE, sign_ramp

PLACEHOLDERS = {
    "least": "least {value}",
    "greatest": "greatest {value}",
    "true_count": "{count}/{total}",
    "readout": "{row}, {column}: {value}",
    "axis_rows": "rows {axis}",
    "axis_columns": "columns {axis}",
}
WORD = {name: PLACEHOLDERS.get(name, name) for name in matrix_words("en")}
SPACE = "{http://www.w3.org/2000/svg}"


def matrix(**changes):
    result = Matrix(
        key="scores",
        title="Scores",
        values=np.random.default_rng(0).normal(size=(3, 4)),
        rows=tuple(f"r{i}" for i in range(3)),
        columns=tuple(f"c{i}" for i in range(4)),
        row_axis="queries",
        column_axis="keys",
    )
    return replace(result, **changes)


def mask(**changes):
    return matrix(key="mask", values=np.tri(3, 4, dtype=bool), scale="mask", **changes)


def from_planes(planes, shape):
    count = shape[0] * shape[1]
    whole = b"".join(bytes(planes[plane * count + i] for plane in range(4)) for i in range(count))
    return np.array(struct.unpack(f"<{count}f", whole)).reshape(shape)


def pack(matrices, **more):
    return matrix_data(matrices, more.pop("words", WORD), **more)


def test_numbers_arrive_as_float32_and_masks_as_bytes():
    values = np.array([[1 / 3, -np.inf, np.nan, -1e-30], [0, np.inf, 7, -2], [1, 2, 3, 4]])
    header, body = opened(pack([matrix(values=values), mask()]))
    assert [m["key"] for m in header["matrices"]] == ["scores", "mask"]
    np.testing.assert_array_equal(from_planes(body[:48], (3, 4)), values.astype(np.float32))
    assert list(body[48:]) == [1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0]


def test_a_long_body_is_deflated_and_a_short_one_is_not():
    for side, deflated in ((128, False), (129, True)):  # 4 bytes each: 65,536 and 66,564 of 65,536
        values = np.arange(side * side, dtype=np.float32).reshape(side, side)
        names = tuple(map(str, range(side)))
        header, body = opened(pack([matrix(values=values, rows=names, columns=names)]))
        assert header["deflated"] == deflated
        np.testing.assert_array_equal(from_planes(body, (side, side)), values)


def test_the_header_carries_labels_axes_scale_and_words():
    labels = ("影院", '"<b>', "{row}")
    header, _ = opened(pack([replace(matrix(), rows=labels, note="÷ √36 = 6", decimals=2)]))
    description = header["matrices"][0]
    assert description["rows"] == list(labels)
    assert (description["rowAxis"], description["columnAxis"]) == ("queries", "keys")
    assert (description["scale"], description["note"], description["decimals"]) == ("signed", "÷ √36 = 6", 2)
    assert header["words"] == WORD


def test_full_colour_is_the_largest_finite_value_unless_a_limit_is_given():
    values = np.array([[-3.5, 2, -np.inf, np.nan]] * 3)

    def full(**changes):
        return opened(pack([matrix(values=values, **changes)]))[0]["matrices"][0]["full"]

    assert full() == 3.5
    assert full(limit=2.0) == 2
    assert {"≤ −2.000", "2.000"} <= set(texts_of(drawn(matrix(values=values, limit=2.0))))
    assert {"−2.000", "≥ 2.000"} <= set(texts_of(drawn(matrix(values=-values, limit=2.0))))
    assert matrix(values=np.zeros((3, 4))).full == 1
    assert matrix(values=np.full((3, 4), -np.inf)).full == 1
    assert matrix(values=np.full((3, 4), 0.2), scale="weight").full == 1


def test_only_a_new_picture_has_a_new_digest():
    def digest(*matrices, **changes):
        return opened(pack(matrices or [matrix()], **changes))[0]["digest"]

    assert digest() == digest(selection=Selection("scores", 1, 2))
    values = matrix().values.copy()
    values[0, 0] += 1
    other = [{"cell": 20}, {"words": WORD | {"help": "?"}}]
    assert len({digest(), digest(matrix(values=values)), digest(matrix(title="x")), *(digest(**o) for o in other)}) == 5


def test_the_selection_travels_beside_the_picture():
    assert opened(pack([matrix()]))[0]["selection"] is None
    header, _ = opened(pack([matrix(), mask()], selection=Selection("mask", 2, 3)))
    assert header["selection"] == {"key": "mask", "row": 2, "column": 3}


def test_a_large_matrix_stays_below_its_raw_size():
    position, pair = np.arange(256)[:, None], np.arange(512)[None] // 2
    values = np.sin(position / 10000 ** (2 * pair / 512))
    indices = tuple(map(str, range(512)))
    large = matrix(values=values, rows=indices[:256], columns=indices)
    assert len(pack([large])) < values.size * 4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rows": ("a",)}, "needs 3 labels of its rows, but 1"),
        ({"columns": ("a",) * 5}, "needs 4 labels of its columns, but 5"),
        ({"values": np.zeros(4)}, "the shape"),
        ({"values": np.zeros((0, 4)), "rows": ()}, "neither of them 0"),
        ({"scale": "log"}, "one of weight, signed, positive, mask"),
        ({"colour": "red"}, "one of encoder, decoder, cross, neutral"),
        ({"decimals": 9}, "0 to 8 decimals"),
        ({"scale": "weight", "values": np.full((3, 4), 1.5)}, "between 0 and 1"),
        ({"scale": "weight", "values": np.full((3, 4), -0.1)}, "between 0 and 1"),
        ({"scale": "positive", "values": np.full((3, 4), -0.1)}, "least value is -0.1"),
        ({"scale": "mask"}, "must hold true or false"),
        ({"values": np.ones((3, 4), bool)}, "must hold real numbers"),
        ({"values": np.ones((3, 4), complex)}, "must hold real numbers"),
        ({"values": np.full((3, 4), 1e39)}, "too large"),
        ({"limit": 0.0}, "greater than 0"),
        ({"limit": float("nan")}, "greater than 0"),
        ({"limit": 1.0, "scale": "weight", "values": np.zeros((3, 4))}, "limit is fixed"),
    ],
)
def test_bad_matrices_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        matrix(**changes)


@pytest.mark.parametrize(
    ("matrices", "changes", "sentence"),
    [
        ([], {}, "at least one matrix"),
        ([matrix(), matrix()], {}, "a key of its own"),
        ([matrix()], {"selection": Selection("x", 0, 0)}, "no matrix 'x'"),
        ([matrix()], {"selection": Selection("scores", 3, 0)}, "no row 3, column 0"),
        ([matrix()], {"selection": Selection("scores", 0, -1)}, "no row 0, column -1"),
        ([matrix()], {"cell": 0}, "at least 1 pixel"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(matrices, changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        pack(matrices, **changes)


def test_a_step_over_the_edge_by_rounding_is_no_error():
    matrix(scale="weight", values=np.full((3, 4), 1 + 1e-6))
    matrix(scale="weight", values=np.array([[0.5, np.nan, -np.inf, 0]] * 3))


def test_the_table_has_every_value_in_full_precision():
    table = matrix_rows(matrix())
    assert len(table) == 3 * 4
    value = float(matrix().values[1, 2])
    assert table[6] == {"row_index": 1, "row": "r1", "column_index": 2, "column": "c2", "value": value}
    assert matrix_rows(mask())[1]["value"] is False


def drawn(*matrices, mode="light", **more):
    return ElementTree.fromstring(matrix_svg(matrices, WORD, mode, **more))


def texts_of(root):
    return [node.text for node in root.iter(f"{SPACE}text")]


def cells_of(root):
    """The rectangles that say a number when they are pointed at."""
    return [cell for cell in root.iter(f"{SPACE}rect") if len(cell)]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_svg_parses_and_shows_markup_as_text(mode):
    nasty = matrix(title="<script>x</script>", columns=("<b>", "&amp;", "影", "\x00"), note="÷ <i>")
    root = drawn(nasty, mode=mode)
    expected = {"<script>x</script>", "<b>", "&amp;", "影", "÷ <i>", "rows queries · columns keys"}
    assert expected <= set(texts_of(root))
    assert root.find(f"{SPACE}title").text == nasty.title
    assert not list(root.iter(f"{SPACE}script"))
    assert len(cells_of(root)) == 3 * 4
    for cell, value in zip(cells_of(root), nasty.values.ravel(), strict=True):
        assert cell[0].text.endswith(f": {value:.3f}".replace("-", "−"))


def test_the_svg_colours_each_cell_by_its_sign_and_share():
    values = np.array([[-2.0, 0.0, 2.0, 1.0]] * 3)
    fills = [cell.get("fill") for cell in cells_of(drawn(matrix(values=values)))][:4]
    assert fills[:3] == [SIGN["negative"]["light"], SURFACE["light"]["card"], SIGN["positive"]["light"]]
    halves = zip(channels(fills[3]), channels(sign_ramp("positive", "light")[8]), strict=True)  # of 0 … 16
    assert all(abs(each - target) <= 1 for each, target in halves)


def channels(colour):
    return bytes.fromhex(colour[1:])


def test_a_mask_and_what_is_not_finite_have_their_own_look():
    root = drawn(mask(colour="decoder"))
    fills = [cell.get("fill") for cell in cells_of(root)]
    assert fills.count(KIND["decoder"]["light"]) == 6
    assert "6/12" in texts_of(root)
    holes = np.array([[0.5, -np.inf, np.nan, 1]] * 3)
    root = drawn(matrix(values=holes))
    patterns = [rect.get("fill") for rect in root.iter(f"{SPACE}rect") if rect.get("fill").startswith("url")][:6]
    assert patterns[0] != patterns[1]  # −∞ and NaN
    assert patterns == patterns[:2] * 3
    assert {"least 0.500", "greatest 1.000", "−∞", "NaN"} <= set(texts_of(root))
    assert "no_finite" in texts_of(drawn(matrix(values=np.full((3, 4), np.nan))))


def test_a_cell_without_a_number_says_so_in_the_page_s_words():
    values = np.array([[0.5, np.nan, -np.inf, 1]] * 3)
    texts = [cell[0].text for cell in cells_of(drawn(matrix(values=values, blank="not counted")))]
    assert texts[1:3] == ["r0, c1: not counted", "r0, c2: −∞"]


def test_a_large_matrix_is_one_image_with_the_right_pixels():
    values = np.zeros((80, 200))
    values[0, 0], values[1, 2], values[2] = 3, -3, -np.inf
    large = matrix(values=values, rows=tuple(map(str, range(80))), columns=tuple(map(str, range(200))))
    root = drawn(large)
    [image] = root.iter(f"{SPACE}image")
    png = base64.b64decode(image.get("href").removeprefix("data:image/png;base64,"))
    size = struct.unpack(">II", png[16:24])
    length = struct.unpack(">I", png[33:37])[0]
    lines = np.frombuffer(zlib.decompress(png[41 : 41 + length]), np.uint8).reshape(80, 601)
    pixels = lines[:, 1:].reshape(80, 200, 3)
    assert size == (200, 80)
    for place, colour in {
        (0, 0): SIGN["positive"]["light"], (1, 2): SIGN["negative"]["light"],
        (5, 5): SURFACE["light"]["card"], (2, 9): SURFACE["light"]["soft"],
    }.items():  # fmt: skip
        assert bytes(pixels[place]).hex() == colour[1:]
    fills = [rect for rect in root.iter(f"{SPACE}rect") if rect.get("fill").startswith("url")]
    assert [rect.get("width") for rect in fills[:-2]] == [image.get("width")]  # the one row, in one run; the legend


def test_several_threads_draw_at_once():
    """The app has a thread for each session, the engine one for all."""
    svg = matrix_svg([matrix()], WORD)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: matrix_svg([matrix()], WORD), range(8))) == [svg] * 8


def contrast(colour, ground):
    def luminance(text):
        parts = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05

    low, high = sorted((luminance(colour), luminance(ground)))
    return high / low


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_equal_values_of_either_sign_look_equally_strong(mode):
    card = SURFACE[mode]["card"]
    assert signed_colour(0, mode) == card
    for share in (0.25, 0.5, 1):
        below, above = contrast(signed_colour(-share, mode), card), contrast(signed_colour(share, mode), card)
        assert below == pytest.approx(above, rel=0.12)
    for colour in (*SIGN.values(), *QUANTITY.values()):
        assert contrast(colour[mode], card) >= 4.5
