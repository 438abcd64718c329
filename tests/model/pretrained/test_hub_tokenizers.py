"""Tokenizers in the files that lie on the hub: ids as transformers and sentencepiece give them."""

from __future__ import annotations

import contextlib
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
import torch
import transformers

from model.__main__ import main
from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.pretrained import vocabulary
from model.pretrained.converted import Converted, Fields
from model.pretrained.folder import Folder
from model.tokenization.imported_tokenizer import ImportedTokenizer
from model.tokenization.tokenizer import SPECIALS
from tests.model.pretrained.hub.repositories import REPOSITORIES, lay
from tests.model.pretrained.hub.writing import said, spm, token, write
from tests.model.pretrained.small import FAMILIES, gpt2
from tests.model.pretrained.strings import CLUSTERS, HARD, STRINGS, TYPED, strings

TEXTS, MANY = (*STRINGS, *HARD), strings(10_000, seed=1)


@dataclass(frozen=True)
class Case:
    """A repository's folder, our tokenizer of it, and the original id of each of our ids."""

    folder: Path
    ours: ImportedTokenizer
    theirs: list[int]

    def ids(self, text: str) -> list[int]:
        """The original ids of a sentence."""
        return [self.theirs[id_] for id_ in self.ours.encode(text)]

    def single(self, texts: Sequence[str]) -> list[str]:
        """The texts in which nothing parts two of them."""
        return [text for text in texts if len(self.ours.texts(text)) == 1]

    def pieces(self, text: str) -> list[str]:
        return [self.ours.piece(id_) for id_ in self.ours.pieces(text)]


def read(folder: Path) -> Case:
    """The tokenizer of a folder, imported with a model that has the original id of each row as its only weight."""
    ids = json.loads((folder / "config.json").read_text())
    size = ids["vocab_size"]
    start = ids.get("decoder_start_token_id")
    kind = {"architecture": "encoder", "decoder_layers": 0} if start is None else {"architecture": "encoder-decoder"}
    config = {**kind, "source_vocabulary": size, "target_vocabulary": size}
    rows = {"source_embedding.weight": torch.arange(size)[:, None]}
    converted, ours, _ = vocabulary.convert(Folder(folder), Fields(ids, {}), Converted(config, rows, start))
    return Case(folder, ours, converted.weights["source_embedding.weight"][:, 0].tolist())


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Case]:
    cases: dict[str, Case] = {}

    def case(name: str) -> Case:
        if name not in cases:
            folder = tmp_path_factory.mktemp(name)
            lay(name, folder)
            cases[name] = read(folder)
        return cases[name]

    return case


@pytest.fixture
def own(laid: Callable[[str], Case], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a repository's folder, to be changed."""

    def copy(name: str) -> Path:
        for file in laid(name).folder.iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes())
        return tmp_path

    return copy


def of_transformers(folder: Path) -> Any:
    return transformers.AutoTokenizer.from_pretrained(folder)


# transformers 5 itself reads these otherwise than the models were trained: see docs/pretrained.md
ODD: dict[str, Callable[[str], bool]] = {
    "mt5": lambda text: True,  # bytes are unknown
    "mbart": lambda text: not text.isascii(),  # no normalizer
    **dict.fromkeys(
        ("mbart50", "pegasus"),  # a piece for the last space
        lambda text: text != text.strip() or any(c in text for c in "▁\u200b"),
    ),
    "nllb": lambda text: True,  # `<mask>` stands before the languages
    "albert": lambda text: any(c in text for c in '(),"-.–£€▁\x85'),  # a space behind each sign
    "llama": lambda text: text.startswith((" ", "▁")),  # one space less
    **dict.fromkeys(("t5-v1_1", "xlm-roberta", "camembert"), lambda text: "\x85" in text),
}


@pytest.mark.parametrize("texts", [(*TEXTS, *CLUSTERS), pytest.param(MANY, marks=pytest.mark.full)], ids=len)
@pytest.mark.parametrize("name", REPOSITORIES)
def test_ids_are_those_of_transformers(name: str, texts: Sequence[str], laid: Callable[[str], Case]) -> None:
    case, theirs = laid(name), of_transformers(laid(name).folder)
    odd = ODD.get(name, lambda text: False)
    for text in texts:
        if not odd(text):
            assert case.ids(text) == theirs(text)["input_ids"], text


@pytest.mark.parametrize("name", [name for name in REPOSITORIES if name not in ("byt5", "pegasus", "nllb")])
def test_ids_of_the_same_tokenizer_saved_again_are_those_of_transformers(
    name: str, laid: Callable[[str], Case], tmp_path: Path
) -> None:
    """With the tokenizer.json that transformers 5 writes, and beside it what it says of added pieces."""
    theirs = of_transformers(laid(name).folder)
    theirs.save_pretrained(tmp_path)
    fields = json.loads((laid(name).folder / "config.json").read_text())
    write(tmp_path, "config.json", fields | {"vocab_size": max(fields["vocab_size"], len(theirs))})
    case, again = read(tmp_path), of_transformers(tmp_path)
    for text in TEXTS:
        assert case.ids(text) == again(text)["input_ids"], text


# a piece's id by its number, from fairseq's dictionaries and T5X's and Pegasus's vocabularies
def same(number: int) -> int:
    return number


def fairseq(number: int) -> int:
    return {0: 3, 1: 0, 2: 2}.get(number, number + 1)


NUMBERED: dict[str, tuple[Callable[[int], int], list[int | str], list[int | str]]] = {  # and what stands around
    "t5-v1_1": (same, [], [1]),
    "mt5": (same, [], [1]),
    "pegasus": (lambda number: number + 103, [], [1]),
    "xlm-roberta": (fairseq, [0], [2]),
    "camembert": (lambda number: number + 4 if number else 3, [5], [6]),
    "mbart": (fairseq, [], [2, "en_XX"]),
    "mbart50": (fairseq, ["en_XX"], [2]),
    "nllb": (fairseq, ["deu_Latn"], [2]),
    "llama": (same, [1], []),
    "gemma": (same, [2], []),
}


@pytest.mark.parametrize("texts", [(*TEXTS, *TYPED), pytest.param(MANY, marks=pytest.mark.full)], ids=len)
@pytest.mark.parametrize("name", NUMBERED)
def test_ids_are_those_of_sentencepiece(name: str, texts: Sequence[str], laid: Callable[[str], Case]) -> None:
    case = laid(name)
    [file] = case.folder.glob("*.model")
    processor = sentencepiece.SentencePieceProcessor(str(file))
    number, *around = NUMBERED[name]
    languages = processor.get_piece_size() + 1
    known = {"en_XX": languages + 3, "deu_Latn": languages + 41}  # by their place in fairseq's lists
    before, after = ([known.get(id_, id_) for id_ in ids] for ids in around)
    for text in case.single(texts):
        if name != "gemma" or "<start_of_turn>" not in text:  # a piece of its user, and special: so text when typed
            assert case.ids(text) == [*before, *map(number, processor.encode(text)), *after], text


def test_albert_s_ids_are_those_of_its_first_code(laid: Callable[[str], Case]) -> None:
    """`preprocess_text` and `encode_pieces` of its tokenization.py."""
    case = laid("albert")
    processor = sentencepiece.SentencePieceProcessor(str(case.folder / "spiece.model"))
    commas = 0
    for text in TEXTS:
        cleaned = " ".join(text.split()).replace("``", '"').replace("''", '"')
        plain = "".join(c for c in unicodedata.normalize("NFKD", cleaned) if unicodedata.category(c) != "Mn").lower()
        cut = processor.encode(plain, out_type=str)
        odd = [piece for piece in cut if len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()]
        commas += len(odd)
        if odd:  # the first code cuts such a piece again
            assert not any(piece[-1] == "," and piece[-2:-1].isdigit() for piece in case.pieces(text)), text
        elif "\x85" not in text:
            assert case.ids(text) == [2, *processor.encode(plain), 3], text
    assert commas


LISTS = ("bert-uncased", "bert-cased", "gpt2", "roberta", "opt", "qwen2", "gpt-neox", "byt5")


@pytest.mark.parametrize("name", LISTS)
def test_specials_are_text_when_they_are_typed(name: str, laid: Callable[[str], Case]) -> None:
    case, theirs = laid(name), of_transformers(laid(name).folder)
    for text in case.single(TYPED):
        assert case.ids(text) == theirs(text, split_special_tokens=True)["input_ids"], text


@pytest.mark.parametrize("name", ["bert-uncased", "xlm-roberta", "camembert", "albert", "bart"])
def test_a_mask_is_typed(name: str, laid: Callable[[str], Case]) -> None:
    case, theirs = laid(name), of_transformers(laid(name).folder)
    for text in ("The {} sleeps.", "{}", "a {}b", "a  {} , b"):
        masked = text.format(case.ours.mask)
        assert case.ids(masked) == theirs(masked)["input_ids"], masked


def test_roberta_s_mask_takes_the_space_before_it(laid: Callable[[str], Case]) -> None:
    """As it was trained; transformers 5 leaves the space, if no file says otherwise."""
    case = laid("roberta")
    assert case.pieces("The dog <mask>.") == [*case.pieces("The dog"), "<mask>", "."]


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_sentence_comes_back(name: str, laid: Callable[[str], Case]) -> None:
    ours = laid(name).ours
    text = "the cat is in the garden"
    assert ours.decode(ours.pieces(text)) == text


@pytest.mark.parametrize("name", REPOSITORIES)
def test_no_row_changes_its_place(name: str, laid: Callable[[str], Case]) -> None:
    """Every id of the original is there, and has the name that it has there."""
    case = laid(name)
    ids = json.loads((case.folder / "config.json").read_text())["vocab_size"]
    assert set(case.theirs) == set(range(ids))
    names = of_transformers(case.folder).get_vocab()
    for number, piece in enumerate(case.ours.vocabulary):
        if number >= len(SPECIALS) and piece in names and name not in ("pegasus", "nllb"):
            assert case.theirs[number] == names[piece], piece


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("llama", "llama"),
        ("gemma", "gemma"),
        ("pegasus", "pegasus"),
        ("albert", "albert"),
        ("byt5", "t5"),
        ("nllb", "nllb"),
    ],
)
def test_a_model_with_such_a_tokenizer_is_imported(name: str, family: str, tmp_path: Path) -> None:
    """Its card has an example, which it reads; the checkpoint cuts texts as the folder does.

    It is not held against transformers, which reads some of these otherwise (`ODD`).
    """
    ids = lay(name, tmp_path / name)
    model = FAMILIES[family].model(FAMILIES[family].config(**FAMILIES[family].fields, **ids))
    model.save_pretrained(tmp_path / name)
    assert main(["import", str(tmp_path / name), "--no-check", "--out", str(tmp_path), "--name", "own"]) == 0
    entry = Entry(tmp_path / "own")
    assert entry.card["examples"]
    loaded, ours = catalogue.load_tokenizer(entry), read(tmp_path / name).ours
    for text in (*TEXTS, *TYPED):
        assert list(map(loaded.piece, loaded.pieces(text))) == list(map(ours.piece, ours.pieces(text))), text


# what stands around a sentence


@pytest.mark.parametrize(
    ("fields", "before", "after"),
    [
        ({"add_bos_token": False}, [], []),
        ({"add_bos_token": True, "add_eos_token": True}, [1], [2]),
        ({"add_bos_token": False, "add_eos_token": True}, [], [2]),
    ],
)
def test_a_file_says_whether_llama_s_sentences_begin_and_end(
    fields: dict[str, bool], before: list[int], after: list[int], own: Callable[[str], Path]
) -> None:
    folder = own("llama")
    body = read(folder).ids("The dog")[1:]
    said(folder, "LlamaTokenizer", **fields)
    assert read(folder).ids("The dog") == [*before, *body, *after] == of_transformers(folder)("The dog")["input_ids"]


@pytest.mark.parametrize("name", ["mbart", "mbart50", "nllb"])
def test_the_language_that_is_said_is_read(name: str, own: Callable[[str], Path]) -> None:
    folder = own(name)
    kind = json.loads((folder / "tokenizer_config.json").read_text())["tokenizer_class"]
    other = "fra_Latn" if name == "nllb" else "fr_XX"
    said(folder, kind, src_lang=other)
    case = read(folder)
    assert case.ours.reads == other
    if name != "nllb":
        assert case.ids("garden") == of_transformers(folder)("garden")["input_ids"]


def test_nllb_s_older_order_is_read_where_a_file_says_so(own: Callable[[str], Path]) -> None:
    folder = own("nllb")
    said(folder, "NllbTokenizer", legacy_behaviour=True)
    case = read(folder)
    assert (case.ours.before, case.ours.reads) == ((), "eng_Latn")


def test_a_tokenizer_json_is_surrounded_as_its_class_says(own: Callable[[str], Path]) -> None:
    """NLLB's on the hub still holds the older template; transformers puts the language first."""
    folder = own("nllb")
    inner = of_transformers(folder).backend_tokenizer
    inner.post_processor = tokenizers.processors.TemplateProcessing(
        "$A </s> eng_Latn", special_tokens=[("</s>", 2), ("eng_Latn", inner.token_to_id("eng_Latn"))]
    )
    inner.save(str(folder / "tokenizer.json"))
    case = read(folder)
    assert case.ids("the garden") == of_transformers(folder)("the garden")["input_ids"]
    assert case.ours.reads == "deu_Latn"


@pytest.mark.parametrize("lower", [True, False])
def test_bert_s_capitals_go_as_tokenizer_config_says(lower: bool, own: Callable[[str], Path]) -> None:
    """Also beside a tokenizer.json, as in transformers 4 and 5."""
    folder = own("bert-cased")
    of_transformers(folder).backend_tokenizer.save(str(folder / "tokenizer.json"))
    said(folder, None, do_lower_case=lower, strip_accents=False, tokenize_chinese_chars=not lower)
    case, theirs = read(folder), of_transformers(folder)
    for text in TEXTS:
        assert case.ids(text) == theirs(text)["input_ids"], text


# added pieces


@pytest.mark.parametrize("file", ["added_tokens.json", "tokenizer_config.json"])
def test_pieces_that_another_file_adds_to_a_tokenizer_json_are_read(file: str, tmp_path: Path) -> None:
    ids = gpt2(tmp_path)
    size = ids["vocab_size"]
    write(tmp_path, "config.json", {"model_type": "gpt2", **ids, "vocab_size": size + 3})
    if file == "added_tokens.json":
        write(tmp_path, file, {"<user>": size, "<turn>": size + 1, "naïve": size + 2})
        write(tmp_path, "special_tokens_map.json", {"additional_special_tokens": ["<turn>"]})
    else:
        added = [token("<user>", rstrip=True), token("<turn>", special=True), token("naïve", single_word=True)]
        said(tmp_path, None, added_tokens_decoder={str(size + number): piece for number, piece in enumerate(added)})
    case, theirs = read(tmp_path), of_transformers(tmp_path)
    for text in ("<user> Hi", "Hi <user>  there", "a naïve dog", "naïvely", "x<user>y<user>"):
        assert case.ids(text) == theirs(text, split_special_tokens=True)["input_ids"], text
    assert size in case.ids("<user> Hi")
    assert size + 1 not in case.ids("<turn> a")  # special, so text when typed
    assert not case.ours.is_text(case.ours.vocabulary["<turn>"])
    assert not [piece for piece in case.ours.vocabulary if piece.startswith("<unused")]


@pytest.mark.parametrize("name", ["t5-v1_1", "llama", "xlm-roberta", "bert-cased", "roberta"])
def test_pieces_that_are_added_to_other_files_are_read(name: str, own: Callable[[str], Path]) -> None:
    folder = own(name)
    fields = json.loads((folder / "config.json").read_text())
    size = len(of_transformers(folder))
    write(folder, "config.json", fields | {"vocab_size": size + 1})
    write(folder, "added_tokens.json", {"<user>": size})
    case, theirs = read(folder), of_transformers(folder)
    for text in ("<user> Hi", "the <user> dog", "the<user>dog", "the dog <user>"):
        assert case.ids(text) == theirs(text)["input_ids"], text


def test_an_added_piece_has_the_id_that_its_file_gives_it(own: Callable[[str], Path]) -> None:
    """transformers 5 counts on from the vocabulary instead, and so reads another row."""
    folder = own("gpt2")
    fields = json.loads((folder / "config.json").read_text())
    size = fields["vocab_size"]
    write(folder, "config.json", fields | {"vocab_size": size + 64})
    write(folder, "added_tokens.json", {"<user>": size + 10})
    case = read(folder)
    assert case.ids("<user>") == [size + 10]
    assert f"<unused {size}>" in case.ours.vocabulary


# refusals


def refused(folder: Path) -> InvalidInput:
    with pytest.raises(InvalidInput) as error:
        read(folder)
    return error.value


@pytest.mark.parametrize("file", ["tokenizer_config.json", "config.json"])
@pytest.mark.parametrize(
    "kind", ["BertJapanese", "Bertweet", "Phobert", "CTRL", "XLM", "Esm", "Flaubert", "Bartpho", "MPNet", "DebertaV2"]
)
def test_a_tokenizer_that_the_files_do_not_describe_is_refused_by_name(
    kind: str, file: str, own: Callable[[str], Path]
) -> None:
    folder = own("bert-uncased")
    there = json.loads((folder / file).read_text())
    write(folder, file, there | {"tokenizer_class": f"{kind}Tokenizer"})
    error = refused(folder)
    assert error.code == "import_tokenizer_class"
    assert kind in str(error)


def test_a_tokenizer_in_python_is_refused_beside_a_tokenizer_json_too(tmp_path: Path) -> None:
    write(tmp_path, "config.json", {"model_type": "gpt2", **gpt2(tmp_path)})
    said(tmp_path, "BioGptTokenizer")
    assert refused(tmp_path).code == "import_tokenizer_class"


@pytest.mark.parametrize("code", [{"AutoTokenizer": ["own.Own", None]}, ["own.Own", None]])
def test_a_tokenizer_of_its_own_code_is_refused(code: object, own: Callable[[str], Path]) -> None:
    folder = own("bert-uncased")
    said(folder, "BertTokenizer", auto_map=code)
    assert refused(folder).code == "import_code"


@pytest.mark.parametrize("added", [{"<user>": 7}, {"[SEP]": 1}])
def test_two_files_that_disagree_on_an_id_are_refused(added: dict[str, int], own: Callable[[str], Path]) -> None:
    folder = own("bert-uncased")
    write(folder, "added_tokens.json", added)
    assert refused(folder).code == "import_added"


@pytest.mark.parametrize("id_", [None, "x", [1], -1])
def test_damaged_added_tokens_are_refused(id_: object, own: Callable[[str], Path]) -> None:
    folder = own("bert-uncased")
    write(folder, "added_tokens.json", {"<user>": id_})
    assert refused(folder).code == "import_json"


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["t5-v1_1", "llama", "nllb", "bert-cased", "qwen2", "byt5"])
def test_no_value_of_a_field_ends_in_an_exception(name: str, own: Callable[[str], Path]) -> None:
    folder = own(name)
    there = json.loads((folder / "tokenizer_config.json").read_text())
    fields = ("tokenizer_class", "auto_map", "src_lang", "strip_accents", "legacy", "extra_special_tokens")
    for field in {*there, *fields, "added_tokens_decoder", "extra_ids"}:
        for value in (None, "x", 5, -1, 1.5, [], ["x"], [5], {}, {"0": 5}, {"x": {"content": "y"}}, {"content": 5}):
            write(folder, "tokenizer_config.json", there | {field: value})
            with contextlib.suppress(InvalidInput):
                read(folder)


@pytest.mark.parametrize("name", ["albert", "bert-uncased", "roberta"])
def test_a_vocabulary_without_what_stands_around_a_sentence_is_refused(name: str, own: Callable[[str], Path]) -> None:
    folder = own(name)
    said(folder, None, sep_token="[END]", cls_token="[START]")
    assert refused(folder).code == "import_around"


def test_a_sentencepiece_model_of_another_kind_is_refused(own: Callable[[str], Path]) -> None:
    folder = own("xlm-roberta")
    file = folder / "sentencepiece.bpe.model"
    for options in ({"model_type": "word"}, {"treat_whitespace_as_suffix": True}):
        spm(file, **options)
        assert refused(folder).code == "import_sentencepiece"
    file.write_bytes(b"\x0a\x02\x08\x05")  # a piece whose text is a number
    assert refused(folder).code == "import_sentencepiece"


def test_more_pieces_than_rows_are_refused(own: Callable[[str], Path]) -> None:
    folder = own("xlm-roberta")
    write(folder, "config.json", json.loads((folder / "config.json").read_text()) | {"vocab_size": 100})
    assert refused(folder).code == "import_vocabulary"
