"""Spaces as sentencepiece treats them, and texts at which the library fails or that grow."""

from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer, models, normalizers

from model.errors import InvalidInput
from model.tokenization.imported_tokenizer import OUTER_SPACES, OUTER_SPACES_BEFORE, ImportedTokenizer
from model.tokenization.tokenizer import CHARACTER_LIMIT, SPECIALS

FIELDS = {"pieces": [*SPECIALS, "a"], "hidden": [], "before": [], "after": [], "mask": None}


def reads_with(*steps: normalizers.Normalizer) -> ImportedTokenizer:
    inner = Tokenizer(models.WordLevel({"<unk>": 0, "a": 1}, "<unk>"))
    inner.normalizer = normalizers.Sequence([*steps])
    return ImportedTokenizer(inner, FIELDS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "   ",
        "a",
        " a ",
        "  a  b  ",
        "a\n",
        "a \n ",
        " \n a",
        "\n",
        "a  \n",
        "\ta\t ",
        "\u3000 a \xa0",
        "▁ a ▁ ",
    ],
)
def test_outer_spaces_are_those_that_strip_takes(text: str) -> None:
    for pattern in (OUTER_SPACES, OUTER_SPACES_BEFORE):
        assert normalizers.Replace(Regex(pattern), "").normalize_str(text) == text.strip(" ")


@pytest.mark.parametrize("bracket", ["(", r"\u0028"])
def test_the_pattern_of_earlier_imports_is_replaced_in_any_spelling(bracket: str, tmp_path: Path) -> None:
    before, now = (reads_with(normalizers.Replace(Regex(each), "")) for each in (OUTER_SPACES_BEFORE, OUTER_SPACES))
    before.save(tmp_path)
    file = tmp_path / "tokenizer.json"
    file.write_text(file.read_text().replace("(", bracket))
    assert ImportedTokenizer.load(tmp_path).inner.to_str() == now.inner.to_str()


def test_a_text_at_which_the_library_fails_is_refused() -> None:
    tokenizer = reads_with(normalizers.Prepend(""), normalizers.NFD())
    for reads in (tokenizer.encode, tokenizer.target_pieces, tokenizer.unknown_characters):
        with pytest.raises(InvalidInput) as error:
            reads("abc")
        assert error.value.code == "sentence_tokenizer"


def test_a_text_that_grows_is_refused_before_it_is_cut() -> None:
    tokenizer = reads_with(normalizers.NFKD())
    assert tokenizer.encode("\ufdfa" * 10)
    with pytest.raises(InvalidInput) as error:
        tokenizer.encode("\ufdfa" * CHARACTER_LIMIT)
    assert error.value.code == "sentence_tokenizer"
