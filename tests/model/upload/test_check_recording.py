"""A recording from a stranger: what opens, and the sentence for everything that does not."""

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from model.checkpoint.catalogue import entry_of
from model.checkpoint.load import load
from model.decode.translate import translate
from model.errors import InvalidInput
from model.trace import ATTENTION_KINDS, Trace
from model.upload import check_recording
from model.upload.array_file import read_array
from tests.fixtures import SAMPLES

LAYERS, HEADS = 2, 3
SOURCE, TARGET = ["▁Wo", "▁bist", "▁du", "</s>"], ["<s>", "▁Where", "▁are"]
Arrays = dict[str, np.ndarray]


def rows(*shape: int, dtype: type = np.float32) -> np.ndarray:
    """Weights whose rows sum to 1, no two alike."""
    values = np.arange(1, np.prod(shape) + 1, dtype=np.float64).reshape(shape)
    return (values / values.sum(-1, keepdims=True)).astype(dtype)


def arrays(**changed: object) -> Arrays:
    """A sound recording with some arrays changed; None leaves one out."""
    sound: dict[str, object] = {
        "encoder_attention": rows(LAYERS, HEADS, 4, 4),
        "decoder_attention": rows(LAYERS, HEADS, 3, 3),
        "cross_attention": rows(LAYERS, HEADS, 3, 4),
        "source_tokens": SOURCE,
        "target_tokens": TARGET,
    }
    return {name: np.asarray(value) for name, value in (sound | changed).items() if value is not None}


def packed(values: Mapping[str, np.ndarray], save: Callable = np.savez) -> bytes:
    buffer = BytesIO()
    save(buffer, **values)
    return buffer.getvalue()


def refused(data: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        check_recording.read(data)
    return caught.value


@pytest.fixture(scope="module")
def traced() -> Trace:
    return translate(load(entry_of(SAMPLES / "notebook-c")), "ich mag dich").trace


# what opens


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_one_array_for_each_kind_becomes_the_layers_of_a_trace(save: Callable, dtype: type) -> None:
    given = arrays(cross_attention=np.asfortranarray(rows(LAYERS, HEADS, 3, 4, dtype=dtype)))
    trace = check_recording.read(packed(given, save))
    assert trace.kinds == ATTENTION_KINDS
    for kind in ATTENTION_KINDS:
        np.testing.assert_array_equal(trace.weights(kind), given[f"{kind}_attention"].astype(np.float32))
    assert (trace.source_tokens, trace.target_tokens) == (tuple(SOURCE), tuple(TARGET))
    assert trace.output_tokens == ("▁Where", "▁are", check_recording.CONTINUES)


def test_a_trace_of_our_own_opens_with_its_weights_alone(traced: Trace, tmp_path: Path) -> None:
    traced.save(tmp_path / "trace.npz")
    recording = check_recording.unpack((tmp_path / "trace.npz").read_bytes(), tmp_path, "my trace")
    assert recording.name == "my-trace"
    for kind in ATTENTION_KINDS:
        np.testing.assert_array_equal(recording.trace.weights(kind), traced.weights(kind))
    assert {name.rpartition(".")[2] for name in recording.trace.values} == {"weights"}
    assert recording.trace.output_tokens == traced.output_tokens
    assert recording.config["architecture"] == "encoder-decoder"


@pytest.mark.parametrize(
    ("kept", "architecture"),
    [
        (("encoder_attention", "source_tokens"), "encoder"),
        (("decoder_attention", "target_tokens"), "decoder"),
        (("cross_attention", "source_tokens", "target_tokens"), "encoder-decoder"),
    ],
)
def test_one_kind_is_enough(kept: tuple[str, ...], architecture: str, tmp_path: Path) -> None:
    given = {name: value for name, value in arrays().items() if name in kept}
    recording = check_recording.unpack(packed(given), tmp_path, "one")
    assert recording.config["architecture"] == architecture
    assert recording.card["first_look"]["attention_kind"] in recording.trace.kinds


def test_tokens_are_shown_as_they_are_and_their_text_without_marks(tmp_path: Path) -> None:
    given = arrays(source_tokens=["a\nb", "\u202e", "<b>", "Ġc"])
    recording = check_recording.unpack(packed(given), tmp_path, "r")
    assert recording.trace.source_tokens == ("a␣b", "�", "<b>", "Ġc")
    assert (recording.source, recording.text) == ("a␣b � c", "Where are …")


def test_bytes_are_read_as_utf_8() -> None:
    given = arrays(source_tokens=np.array([token.encode() for token in SOURCE]))
    assert check_recording.read(packed(given)).source_tokens == tuple(SOURCE)


# what does not

BROKEN = rows(LAYERS, HEADS, 4, 4)
LAYER = "encoder.{}.self_attention.weights"


def with_value(value: float) -> np.ndarray:
    broken = BROKEN.copy()
    broken[1, 2, 3, 0] = value
    return broken


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("recording_name", {"attention": BROKEN}),
        ("recording_empty", dict.fromkeys(("encoder_attention", "decoder_attention", "cross_attention"))),
        ("recording_array", {"source_tokens": np.array(SOURCE, object)}),
        ("recording_twice", {LAYER.format(0): BROKEN[0]}),
        ("recording_layer", {"encoder_attention": None, LAYER.format(1): BROKEN[0]}),
        ("recording_axes", {"encoder_attention": BROKEN[0]}),
        ("recording_axes", {"encoder_attention": None, LAYER.format(0): BROKEN[0, 0]}),
        ("recording_layers", {"encoder_attention": BROKEN[:0]}),
        ("recording_layers", {"encoder_attention": np.repeat(BROKEN, 33, 0)}),
        ("recording_heads", {"encoder_attention": np.repeat(BROKEN, 22, 1)}),
        ("recording_heads", {"encoder_attention": BROKEN[:, :0]}),
        (
            "recording_heads",
            {"encoder_attention": None, LAYER.format(0): BROKEN[0], LAYER.format(1): BROKEN[1, :2]},
        ),
        ("recording_length", {"encoder_attention": rows(LAYERS, HEADS, 5, 4)}),
        ("recording_length", {"cross_attention": rows(LAYERS, HEADS, 4, 3)}),
        ("recording_length", {"source_tokens": None}),
        ("recording_numbers", {"encoder_attention": np.ones((LAYERS, HEADS, 4, 4), int)}),
        ("recording_finite", {"encoder_attention": with_value(np.nan)}),
        ("recording_sum", {"encoder_attention": with_value(0.5)}),
        ("recording_sum", {"encoder_attention": BROKEN + np.array([1, -1, 0, 0])}),
        ("recording_strings", {"source_tokens": np.arange(4)}),
        ("recording_strings", {"source_tokens": np.array([SOURCE])}),
        ("recording_strings", {"source_tokens": np.array(["\ud800", "b", "c", "d"])}),
        ("recording_many", {"source_tokens": ["a"] * 257}),
        ("recording_long", {"source_tokens": ["a" * 61, "b", "c", "d"]}),
        ("recording_tokens", {"output_tokens": TARGET[:2]}),
    ],
)
def test_each_fault_has_its_sentence(code: str, changed: dict) -> None:
    error = refused(packed(arrays(**changed)))
    assert error.code == code
    assert not str(error).count("{")


def test_the_sentence_names_the_row_whose_sum_is_wrong() -> None:
    error = refused(packed(arrays(encoder_attention=with_value(0.5))))
    assert (error.values["head"], error.values["row"], error.values["name"]) == (2, 3, "encoder_attention[1]")


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"\x80\x05cos\nsystem\n(S'true'\ntR.", packed(arrays())[:-1], packed(arrays())[:1000]]
)
def test_what_is_no_npz_is_refused(data: bytes) -> None:
    assert refused(data).code == "recording_zip"


@pytest.mark.parametrize("shape", ["(9999999999, 99)", "(2, -3)", "(5, )"])
def test_an_array_is_not_made_larger_than_its_bytes(shape: str) -> None:
    """A header may promise any shape; it is compared with the file before anything is allocated."""
    buffer = BytesIO()
    np.lib.format.write_array(buffer, np.zeros((2, 3), np.float32))
    data = buffer.getvalue().replace(b"(2, 3), }" + b" " * 12, f"{shape}, }}".encode().ljust(21))
    assert shape.encode() in data
    with pytest.raises(ValueError, match="values"):
        read_array(data)


def test_a_zip_that_grows_too_much_is_not_unpacked() -> None:
    zeros = np.zeros((64, 64, 64, 64), np.float32)  # 64 MiB of nothing
    assert refused(packed({"encoder_attention": zeros}, np.savez_compressed)).code == "exchange_ratio"
