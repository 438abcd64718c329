"""Two texts that are read as one by an imported tokenizer."""

import json
from pathlib import Path

import pytest

from model.decode.translate import encode
from model.edit.activation_patching import one_word_apart
from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.folder import Folder
from model.tokenization.imported_tokenizer import FILE, ImportedTokenizer
from model.tokenization.tokenizer import BOS, EOS
from tests.model.pretrained.small import build


@pytest.fixture(scope="module", params=["minilm", "roberta"])
def tokenizer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ImportedTokenizer:
    folder = tmp_path_factory.mktemp("original") / request.param
    build(request.param, folder)
    tokenizer = importing.convert(Folder(folder)).checkpoint.tokenizer
    assert isinstance(tokenizer, ImportedTokenizer)
    return tokenizer


def test_only_the_first_separator_parts_and_a_single_text_stays_as_it_is(tokenizer: ImportedTokenizer) -> None:
    mark = tokenizer.separator
    assert tokenizer.texts("a dog") == ("a dog",)
    assert tokenizer.texts(f"a  {mark}\n b {mark} c") == ("a", f"b {mark} c")
    assert tokenizer.encode("a dog") == [BOS, *tokenizer.pieces("a dog"), EOS]
    between = [EOS] if mark == "[SEP]" else [EOS, EOS]
    read = tokenizer.encode(f"the dog {mark} the sofa")
    assert read == [BOS, *tokenizer.pieces("the dog"), *between, *tokenizer.pieces("the sofa"), EOS]


def test_the_second_text_has_a_place_and_begins_no_word_in_the_middle(tokenizer: ImportedTokenizer) -> None:
    read = tokenizer.encode(f"the dog {tokenizer.separator} sofa")
    start = tokenizer.second_text(read)
    assert start is not None
    assert read[start - 1] == EOS
    assert list(tokenizer.last_text(read)) == list(range(start, len(read) - 1))
    assert not tokenizer.tokens(read, begins=True)[start].startswith("·")
    single = tokenizer.encode("the dog")
    assert tokenizer.second_text(single) is None
    assert list(tokenizer.last_text(single)) == list(range(1, len(single) - 1))


def test_a_sentence_that_differs_by_a_token_stays_a_pair(tokenizer: ImportedTokenizer) -> None:
    sentence = f"the dog {tokenizer.separator} the sofa"
    other = one_word_apart(tokenizer, sentence, [])
    assert other != sentence
    read, changed = tokenizer.encode(sentence), tokenizer.encode(other)
    assert tokenizer.second_text(changed) == tokenizer.second_text(read)
    assert sum(a != b for a, b in zip(read, changed, strict=True)) == 1


def test_the_pair_is_kept_and_older_files_have_none(tokenizer: ImportedTokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path)
    text = f"the dog {tokenizer.separator} the sofa"
    assert ImportedTokenizer.load(tmp_path).encode(text) == tokenizer.encode(text)
    fields = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))
    del fields["pair"]
    (tmp_path / FILE).write_text(json.dumps(fields), encoding="utf-8")
    older = ImportedTokenizer.load(tmp_path)
    assert older.separator == ""
    assert older.encode(text) == [BOS, *tokenizer.pieces(text), EOS]


@pytest.mark.parametrize(
    "pair", [{"separator": "", "before": [1], "between": [2], "after": [2]},
             {"separator": "x", "before": [1], "between": [], "after": [2]},
             {"separator": "x", "before": [1], "between": [10**9], "after": [2]}]
)  # fmt: skip
def test_a_pair_that_cannot_be_is_refused(tokenizer: ImportedTokenizer, tmp_path: Path, pair: dict) -> None:
    tokenizer.save(tmp_path)
    fields = json.loads((tmp_path / FILE).read_text(encoding="utf-8")) | {"pair": pair}
    (tmp_path / FILE).write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(ValueError, match=r"between two texts|outside of the vocabulary"):
        ImportedTokenizer.load(tmp_path)


def test_a_pair_is_two_texts(tmp_path: Path) -> None:
    build("minilm", tmp_path / "minilm")
    checkpoint = importing.convert(Folder(tmp_path / "minilm")).checkpoint
    said = dict.fromkeys(("[SEP] the dog", "the dog [SEP]", "[SEP]"), "sentence_pair")
    for text, code in (said | {"the dog [SEP] sleeps [SEP] on": "sentence_texts"}).items():
        with pytest.raises(InvalidInput) as refused:
            encode(checkpoint, text)
        assert refused.value.code == code
