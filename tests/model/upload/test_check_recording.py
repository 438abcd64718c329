"""A recording from a stranger: what opens, and the sentence for everything that does not."""

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from model.checkpoint.catalogue import entry_of
from model.checkpoint.checkpoints import load
from model.checkpoint.recording import FILE, Recording
from model.decode.translate import translate
from model.errors import InvalidInput
from model.tokenization.token_text import joined
from model.trace import ATTENTION_KINDS, Trace, load_trace
from model.upload import check_recording
from model.upload.array_file import read_array
from pages.shared.ui.attention_figure import panels
from tests.samples import SAMPLES

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


def trace_of(recording: Recording) -> Trace:
    return load_trace(recording.folder / FILE)


def refused(data: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as error:
        check_recording.read(data)
    return error.value


@pytest.fixture(scope="module")
def traced() -> Trace:
    return translate(load(entry_of(SAMPLES / "notebook-c")), "ich mag dich").trace


# what opens


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_one_array_for_each_kind_becomes_the_layers_of_a_trace(save: Callable, dtype: type) -> None:
    inputs = arrays(cross_attention=np.asfortranarray(rows(LAYERS, HEADS, 3, 4, dtype=dtype)))
    trace = check_recording.read(packed(inputs, save))
    assert trace.kinds == ATTENTION_KINDS
    for kind in ATTENTION_KINDS:
        np.testing.assert_array_equal(trace.weights(kind), inputs[f"{kind}_attention"].astype(np.float32))
    assert (trace.source_tokens, trace.target_tokens) == (tuple(SOURCE), tuple(TARGET))
    assert trace.output_tokens == ("▁Where", "▁are", check_recording.UNTOLD)


def test_a_trace_of_our_own_opens_with_its_weights_alone(traced: Trace, tmp_path: Path) -> None:
    traced.save(tmp_path / "trace.npz")
    recording = check_recording.unpack((tmp_path / "trace.npz").read_bytes(), tmp_path, "my trace")
    assert recording.name == "my-trace"
    for kind in ATTENTION_KINDS:
        np.testing.assert_array_equal(trace_of(recording).weights(kind), traced.weights(kind))
    assert {name.rpartition(".")[2] for name in trace_of(recording).values} == {"weights"}
    assert trace_of(recording).output_tokens == traced.output_tokens
    assert recording.config.architecture == "encoder-decoder"


@pytest.mark.parametrize("name", ["de-en", "mini-encoder", "gpt-char"])
def test_the_trace_of_every_kind_of_model_opens(name: str, tmp_path: Path) -> None:
    recording = check_recording.unpack((SAMPLES / name / "example.npz").read_bytes(), tmp_path, name)
    assert recording.config.architecture == entry_of(SAMPLES / name).config.architecture
    example = entry_of(SAMPLES / name).card["examples"][0].replace("_ ", "")  # a hidden word is no text
    assert recording.card["examples"][0].replace(" ", "").startswith(example.replace(" ", "")), "its own sentence again"


def test_what_is_kept_of_sharp_attention_opens_again(tmp_path: Path) -> None:
    eye = np.broadcast_to(np.eye(128, dtype=np.float32), (4, 12, 128, 128))
    tokens = [str(number) for number in range(128)]
    recording = check_recording.unpack(
        packed({"encoder_attention": eye, "source_tokens": tokens}, np.savez_compressed), tmp_path, "sharp"
    )
    check_recording.read((recording.folder / FILE).read_bytes())


@pytest.mark.parametrize(
    ("kept", "architecture"),
    [
        (("encoder_attention", "source_tokens"), "encoder"),
        (("decoder_attention", "target_tokens"), "decoder"),
        (("cross_attention", "source_tokens", "target_tokens"), "encoder-decoder"),
    ],
)
def test_one_kind_is_enough(kept: tuple[str, ...], architecture: str, tmp_path: Path) -> None:
    inputs = {name: value for name, value in arrays().items() if name in kept}
    recording = check_recording.unpack(packed(inputs), tmp_path, "one")
    assert recording.config.architecture == architecture
    assert recording.card["first_look"]["attention_kind"] in trace_of(recording).kinds


def test_tokens_are_shown_as_they_are_and_their_text_without_marks(tmp_path: Path) -> None:
    inputs = arrays(source_tokens=["a\nb", "\u202e", "<b>", "Ġc"])
    recording = check_recording.unpack(packed(inputs), tmp_path, "r")
    assert trace_of(recording).source_tokens == ("a␣b", "�", "<b>", "Ġc")
    assert (recording.card["examples"], recording.card["example_translation"]) == (["a␣b� c"], "Where are…")


def test_bytes_are_read_as_utf_8() -> None:
    inputs = arrays(source_tokens=np.array([token.encode() for token in SOURCE]))
    assert check_recording.read(packed(inputs)).source_tokens == tuple(SOURCE)


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
        ("recording_axes", {"encoder_attention": None, LAYER.format(0): np.float32(1)}),
        ("recording_name", {LAYER.format(0)[:-1]: BROKEN[0]}),
        ("recording_names", {"encoder/attention": BROKEN, "decoder/attention": BROKEN}),
        ("recording_layers", {"encoder_attention": BROKEN[:0]}),
        ("recording_layers", {"encoder_attention": np.repeat(BROKEN, 33, 0)}),
        ("recording_heads", {"encoder_attention": np.repeat(BROKEN, 22, 1)}),
        ("recording_heads", {"encoder_attention": BROKEN[:, :0]}),
        (
            "recording_heads",
            {"encoder_attention": None, LAYER.format(0): BROKEN[0], LAYER.format(1): BROKEN[1, :2]},
        ),
        ("recording_queries", {"encoder_attention": rows(LAYERS, HEADS, 5, 4)}),
        ("recording_keys", {"cross_attention": rows(LAYERS, HEADS, 3, 5)}),
        ("recording_missing", {"source_tokens": None}),
        ("recording_numbers", {"encoder_attention": np.ones((LAYERS, HEADS, 4, 4), int)}),
        ("recording_finite", {"encoder_attention": with_value(np.nan)}),
        ("recording_sum", {"encoder_attention": with_value(0.5)}),
        ("recording_range", {"encoder_attention": BROKEN + np.array([1, -1, 0, 0])}),
        ("recording_range", {"encoder_attention": with_value(-0.001)}),
        ("recording_strings", {"source_tokens": np.arange(4)}),
        ("recording_strings", {"source_tokens": np.array([SOURCE])}),
        ("recording_strings", {"source_tokens": np.array(["\ud800", "b", "c", "d"])}),
        ("recording_strings", {"source_tokens": np.array([0x7FFFFFFF] * 4, "<u4").view("<U1")}),
        ("recording_many", {"source_tokens": np.full(300_000, b"\xff")}),
        ("recording_name", {"encoder.7.attention.weights": BROKEN}),
        ("recording_layers", {"encoder_attention": np.zeros((70, 1, 0, 0), np.float32)}),
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


def with_header(text: str) -> bytes:
    """A .npy whose header is `text`."""
    header = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 99)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999, 0)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (0,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (True, 0)}",
        "{[]: 1}",
        "{1: 0, 'a': 2}",
        "{'descr': (",
        "'''",
        "(" * 100,
    ],
)
def test_a_header_that_promises_too_much_or_cannot_be_read(header: str) -> None:
    """It is compared with the file before anything is allocated."""
    with pytest.raises(ValueError, match=r"header|pickle"):
        read_array(with_header(header))


def test_a_zip_that_grows_too_much_is_not_unpacked() -> None:
    zeros = np.zeros((65, 64, 64, 64), np.float32)  # 65 MiB of nothing
    assert refused(packed({"encoder_attention": zeros}, np.savez_compressed)).code == "recording_bytes"


def test_a_name_that_stands_there_twice_is_refused() -> None:
    buffer = BytesIO(packed(arrays()))
    with ZipFile(buffer, "a") as archive:
        archive.writestr("encoder_attention", archive.read("encoder_attention.npy"))
    assert refused(buffer.getvalue()).code == "recording_name"


def test_more_weights_than_the_server_holds_are_refused() -> None:
    one = np.zeros((48, 26, 100, 100), np.float16)
    one[..., 0] = 1
    tokens = [str(number) for number in range(100)]
    error = refused(packed({"encoder_attention": one, "source_tokens": tokens}))
    assert error.code == "recording_large"


@pytest.mark.parametrize("weights", [[[1.0, 0.0], [0.5, 0.5]], [[1.000005, -0.000005], [0.996, 0.0]]])
def test_what_opens_can_be_drawn(weights: list) -> None:
    inputs = {"encoder_attention": np.array([[weights]]), "source_tokens": np.array(["a", "b"])}
    [panel] = panels(check_recording.read(packed(inputs)))
    assert panel.queries == ("a", "b")


def test_kinds_may_differ_in_layers_and_heads(tmp_path: Path) -> None:
    inputs = arrays(cross_attention=rows(1, 5, 3, 4), decoder_attention=rows(3, 1, 3, 3))
    config = check_recording.unpack(packed(inputs), tmp_path, "r").config
    assert (config.encoder_layers, config.decoder_layers, config.heads) == (2, 3, 5)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["▁Where", "▁are", "▁you", "?", "</s>"], "Where are you?"),
        (["Hel", "lo", "Ġwor", "ld", "<|endoftext|>"], "Hello world"),
        (["[CLS]", "play", "##ing", "chess", "[SEP]"], "playing chess"),
        (["我", "▁"], "我"),
        (["我", "在", "图", "书", "馆", "。"], "我在图书馆。"),
        (["kam", "·el", "s", "!"], "kamel s!"),
        (["W", "h", "o", "␣", "i", "s"], "Who is"),
        (["<0x41>", "a"], "<0x41> a"),
        (["</s>"], ""),
    ],
)
def test_the_text_of_tokens_follows_their_marks(tokens: list[str], text: str) -> None:
    assert joined(tokens) == text
