"""What `import` wrote can be uploaded as its zip, and damage to it is refused or harmless."""

import base64
import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED

import numpy as np
import pytest

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.card import Origin
from model.tokenization.imported_tokenizer import OUTER_SPACES, OUTER_SPACES_BEFORE
from model.upload import upload_check
from tests.model.pretrained.hub.models import MODELS, publish
from tests.model.pretrained.small import FAMILIES, build
from tests.model.upload.making import left, zipped
from tests.model.upload.test_any_damage import bytes_changed, field_changed, sound_or_refused, tensor_changed

Files = dict[str, bytes]
Change = Callable[[dict[str, Any]], object]
DAMAGED = ("bert", "t5", "llama", "marian", "nllb")  # a kind of model of the tokenizer each, two tokenizers, languages


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Entry]:
    """A small model of a family, imported once."""
    folder, entries = tmp_path_factory.mktemp("imported"), dict[str, Entry]()

    def make(name: str) -> Entry:
        if name not in entries:
            (publish if name in MODELS else build)(name, folder / "originals" / name)
            origin, own = Origin(f"somebody/{name}", "abc", ("lm_head",)), name.replace("/", "-")
            entries[name] = importing.import_folder(folder / "originals" / name, folder, own, origin, check=False)
        return entries[name]

    return make


def files_of(entry: Entry) -> Files:
    return {path.name: path.read_bytes() for path in entry.folder.iterdir()}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", [*FAMILIES, *MODELS])
def test_every_family_is_taken_as_it_was_written(name: str, imported: Callable[[str], Entry], tmp_path: Path) -> None:
    before = imported(name)
    entry = upload_check.unpack(upload_check.pack(before), tmp_path)
    assert entry.card == before.card
    assert entry.card["imported"]["source"] == f"somebody/{name}"
    for file in ("vocabulary.json", "tokenizer.json", "model.safetensors"):
        assert (entry.folder / file).read_bytes() == (before.folder / file).read_bytes()
    sentence = before.card["examples"][-1]
    runs = [translate(checkpoints.load(each), sentence) for each in (before, entry)]
    assert runs[0].trace.output_tokens == runs[1].trace.output_tokens
    for name, value in runs[0].trace.values.items():
        np.testing.assert_array_equal(value, runs[1].trace.values[name])


def changed(files: Files, file: str, change: Change) -> bytes:
    fields = json.loads(files[file])
    change(fields)
    return zipped(files | {file: json.dumps(fields).encode()}, method=ZIP_STORED)


def step(part: str, **fields: object) -> Change:
    return lambda tokenizer: tokenizer.update({part: fields})


def charsmap(change: Callable[[bytearray], object]) -> Change:
    """A damaged table of characters: its first four bytes are the length of its trie."""

    def spoil(tokenizer: dict[str, Any]) -> None:
        data = bytearray(struct.pack("<I", 1024) + bytes(1024) + b"x\0")
        change(data)
        text = base64.b64encode(data).decode()
        tokenizer["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": text}

    return spoil


def unit(value: int) -> Change:
    return charsmap(lambda data: data.__setitem__(slice(4, 8), struct.pack("<I", value)))


def of_model(**fields: object) -> Change:
    return lambda tokenizer: tokenizer["model"].update(fields)


def replaces(pattern: dict[str, str], content: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def table(text: bytes) -> dict[str, object]:
    """A table of characters that makes one text of q."""
    units = np.zeros(256, "<u4")
    units[ord("q")] = ord("q") | 1 << 8 | (ord("q") ^ 128) << 10  # a value, at unit 128
    units[128] = 1 << 31  # the first text
    data = struct.pack("<I", units.nbytes) + units.tobytes() + text + b"\0"
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(data).decode()}


def sequence(*steps: dict[str, object]) -> Change:
    return step("normalizer", type="Sequence", normalizers=steps)


def finds(content: str, *steps: dict[str, object], times: int = 1) -> Change:
    """With an added piece that is looked for in the normalized text."""

    def change(tokenizer: dict[str, Any]) -> None:
        sequence(*steps)(tokenizer)
        added = tokenizer["added_tokens"]
        added += [added[-1] | {"content": content, "normalized": True}] * times

    return change


NFKD = {"type": "NFKD"}
STRIP = {"type": "Strip", "strip_left": True, "strip_right": True}
GROWS = [replaces({"String": "a"}, "aaaaaaaa")] * 3
BAD_STEPS: dict[str, tuple[str, Change]] = {
    "a pattern that never ends": ("exchange_steps", step("normalizer", **replaces({"Regex": "(a+)+$"}, " "))),
    "an empty pattern": ("exchange_steps", step("normalizer", **replaces({"String": ""}, " "))),
    "text that grows": ("exchange_steps", step("normalizer", type="Sequence", normalizers=GROWS)),
    "a table and a step that grow": ("exchange_steps", sequence(table(b" " * 64), replaces({"String": " "}, " " * 8))),
    "a table and Unicode that grow": ("exchange_steps", sequence(table("\ufdfa".encode() * 20), NFKD)),
    "Unicode that grows": ("exchange_steps", sequence(*[NFKD, replaces({"String": "\u0644"}, "\ufdfa")] * 3)),
    "bytes that grow": ("exchange_steps", sequence(*[{"type": "ByteLevel"}] * 16)),
    "added pieces that grow": ("exchange_steps", finds("\ufdfa" * 1000, NFKD, times=600)),
    "pieces that grow": ("exchange_steps", step("decoder", type="Sequence", decoders=GROWS)),
    "nothing put before": ("exchange_steps", sequence({"type": "Prepend", "prepend": ""}, {"type": "NFD"})),
    "an added piece of a space": ("checkpoint_tokenizer", finds(" ", STRIP)),
    "an added piece of an accent": (
        "checkpoint_tokenizer", finds("\u0301", {"type": "NFD"}, {"type": "StripAccents"}),
    ),
    "steps without end": ("exchange_steps", step("normalizer", type="Sequence", normalizers=[{"type": "NFC"}] * 99)),
    "steps within steps": (
        "exchange_steps",
        step("normalizer", type="Sequence", normalizers=[{"type": "Sequence", "normalizers": []}]),
    ),
    "an unknown step": ("exchange_steps", step("pre_tokenizer", type="Delimiter", delimiter="x")),
    "an unknown field": ("exchange_steps", step("pre_tokenizer", type="WhitespaceSplit", more=1)),
    "more taken away than there is": ("exchange_steps", step("decoder", type="Strip", content=" ", start=0, stop=9)),
    "drawn at random": ("exchange_steps", of_model(type="BPE", vocab={}, merges=[], dropout=0.5, unk_token=None)),
    "padding": ("exchange_steps", lambda tokenizer: tokenizer.update(padding={})),
    "a trie that leads beyond its end": ("exchange_steps", unit(0x3FFFFF << 10)),
    "a text beyond the end": (
        "exchange_steps", charsmap(lambda data: data.__setitem__(slice(4, 1028), bytes([0, 5] * 512))),
    ),
    "a trie cut off": ("exchange_steps", charsmap(lambda data: data.__delitem__(slice(500, None)))),
    "a character that becomes a book": ("exchange_steps", charsmap(lambda data: data.extend(b"x" * 1000))),
    "an unknown piece that is missing": ("checkpoint_tokenizer", of_model(unk_token="no piece")),
    "a number for a piece": ("checkpoint_tokenizer", of_model(vocab={"a": "b"})),
    "an empty added token": (
        "checkpoint_tokenizer", lambda tokenizer: tokenizer["added_tokens"][0].update(content=""),
    ),
    "no model": ("checkpoint_tokenizer", lambda tokenizer: tokenizer.update(model=None)),
    "another part": ("checkpoint_tokenizer", lambda tokenizer: tokenizer.update(more=1)),
}  # fmt: skip
BAD_VOCABULARIES: dict[str, Change] = {
    "an id beyond the end": lambda fields: fields.update(before=[10**9]),
    "a negative id": lambda fields: fields.update(after=[-1]),
    "a piece that is a number": lambda fields: fields["pieces"].__setitem__(7, 7),
    "a piece without letters": lambda fields: fields["pieces"].__setitem__(7, ""),
    "a piece twice": lambda fields: fields["pieces"].__setitem__(7, fields["pieces"][8]),
    "no special": lambda fields: fields["pieces"].__setitem__(0, "<nothing>"),
    "a special without a name": lambda fields: fields["specials"].pop(),
    "yes as an id": lambda fields: fields.update(mask=True),
    "no list of hidden ones": lambda fields: fields.pop("hidden"),
    "a sentence that is all before it": lambda fields: fields.update(before=[5] * 500),
}


def refused(data: bytes, into: Path) -> str:
    with pytest.raises(InvalidInput) as error:
        upload_check.unpack(data, into)
    assert left(into) == []
    assert str(error.value).isprintable()
    return error.value.code


@pytest.mark.parametrize("name", BAD_STEPS)
def test_a_step_that_could_do_harm_is_refused(name: str, imported: Callable[[str], Entry], tmp_path: Path) -> None:
    code, change = BAD_STEPS[name]
    assert refused(changed(files_of(imported("bert")), "tokenizer.json", change), tmp_path) == code


def test_an_earlier_import_is_taken_and_reads_in_linear_time(imported: Callable[[str], Entry], tmp_path: Path) -> None:
    def earlier(tokenizer: dict[str, Any]) -> None:
        steps = tokenizer["normalizer"]["normalizers"]
        next(each for each in steps if each.get("pattern") == now)["pattern"] = {"Regex": OUTER_SPACES_BEFORE}

    before, now = imported("marian"), {"Regex": OUTER_SPACES}
    data = changed(files_of(before), "tokenizer.json", earlier)
    loaded = checkpoints.load(upload_check.unpack(data, tmp_path)).tokenizer
    assert json.loads(loaded.inner.to_str()) == json.loads(checkpoints.load(before).tokenizer.inner.to_str())


def test_the_tokenizer_of_targets_is_checked_too(imported: Callable[[str], Entry], tmp_path: Path) -> None:
    code, change = BAD_STEPS["a pattern that never ends"]
    assert refused(changed(files_of(imported("marian")), "target_tokenizer.json", change), tmp_path) == code


@pytest.mark.parametrize("name", BAD_VOCABULARIES)
def test_a_list_of_pieces_that_does_not_fit_is_refused(
    name: str, imported: Callable[[str], Entry], tmp_path: Path
) -> None:
    data = changed(files_of(imported("bert")), "vocabulary.json", BAD_VOCABULARIES[name])
    assert refused(data, tmp_path) == "checkpoint_tokenizer"


CARDS: dict[str, Change] = {
    "a language that the tokenizer lacks": lambda card: card["languages"].update(xxx_Latn=1),
    "another id of a language": lambda card: card["languages"].update(deu_Latn=10**6),
    "told three": lambda card: card.update(told=["eng_Latn"] * 3),
    "told nothing": lambda card: card.pop("told"),
    "told another": lambda card: card.update(told=["eng_Latn", "xxx_Latn"]),
    "examples that are numbers": lambda card: card.update(language_examples={"eng_Latn": [1]}),
    "no example's list": lambda card: card.update(language_examples={"eng_Latn": 1}),
    "no origin": lambda card: card.pop("imported"),
    "an origin without licence": lambda card: card["imported"].pop("licence"),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_does_not_fit_its_model_is_refused(
    name: str, imported: Callable[[str], Entry], tmp_path: Path
) -> None:
    assert refused(changed(files_of(imported("nllb")), "card.json", CARDS[name]), tmp_path) == "checkpoint_card"


def test_an_import_needs_its_list_of_pieces(imported: Callable[[str], Entry], tmp_path: Path) -> None:
    files = files_of(imported("bert"))
    del files["vocabulary.json"]
    assert refused(zipped(files), tmp_path) == "checkpoint_card"


@pytest.mark.parametrize("name", DAMAGED)
def test_any_damage_is_refused_or_harmless(
    name: str, imported: Callable[[str], Entry], tmp_path: Path, draws: Callable[[int], int]
) -> None:
    files, draw = files_of(imported(name)), random.Random(name)
    kinds = [bytes_changed, tensor_changed]
    kinds += [field_changed(file) for file in files if file.endswith(".json")]
    for kind in kinds:
        for _ in range(draws(30)):
            sound_or_refused(zipped(kind(files, draw), method=ZIP_STORED), tmp_path)
