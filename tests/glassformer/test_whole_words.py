"""Attention between whole words, from the tokens of a user's own tokenizer."""

from types import ModuleType

import numpy as np
import pytest

from viz.whole_words import BYTES

TOKENS = {
    "##": ["[CLS]", "un", "##believ", "##able", "[SEP]"],
    "▁": ["<s>", "▁un", "believ", "able", "</s>"],
    "Ġ": ["<s>", "Ġun", "believ", "able", "</s>"],
    "@@": ["<s>", "un@@", "believ@@", "able", "</s>"],
    "</w>": ["<s>", "un", "believ", "able</w>", "</s>"],
}


def softmaxed(*shape: int) -> np.ndarray:
    values = np.exp(np.random.default_rng(0).normal(size=shape))
    return (values / values.sum(-1, keepdims=True)).astype(np.float32)


FIVE = softmaxed(2, 3, 5, 5)


@pytest.mark.parametrize("mark", TOKENS)
@pytest.mark.parametrize("name", ["head_wall", "attention_lines"])
def test_the_tokens_of_a_word_are_one(glassformer: ModuleType, name: str, mark: str) -> None:
    for words in (True, mark):
        figure = getattr(glassformer, name)(FIVE, TOKENS[mark], words=words)
        panel = figure.panels["encoder"]
        assert panel.queries == panel.keys == (TOKENS[mark][0], "unbelievable", TOKENS[mark][-1])
        np.testing.assert_allclose(panel.weights.sum(-1), 1, atol=1e-6)
        np.testing.assert_allclose(panel.weights[:, :, 0, 1], FIVE[:, :, 0, 1:4].sum(-1), atol=1e-6)
        np.testing.assert_allclose(panel.weights[:, :, 1, 0], FIVE[:, :, 1:4, 0].mean(-1), atol=1e-6)
        assert panel.query_specials == (True, False, True)


def test_without_it_every_token_is_shown_as_it_is_given(glassformer: ModuleType) -> None:
    panel = glassformer.head_wall(FIVE, TOKENS["Ġ"]).panels["encoder"]
    assert panel.queries == tuple(TOKENS["Ġ"])
    np.testing.assert_array_equal(panel.weights, FIVE)


def test_bytes_of_one_character_are_one_in_any_case(glassformer: ModuleType) -> None:
    letters = {byte: letter for letter, byte in BYTES.items()}
    spelled = "".join(letters[byte] for byte in "你好".encode())
    tokens = [*(spelled[at : at + 1] for at in range(3)), spelled[3:5], spelled[5:]]
    for words in (False, True):
        panel = glassformer.head_wall(FIVE, tokens, words=words).panels["encoder"]
        assert panel.queries == panel.keys == ("你", "好")
        np.testing.assert_allclose(panel.weights.sum(-1), 1, atol=1e-6)
    in_hexadecimal = [f"<0x{byte:02X}>" for byte in "你".encode()]
    panel = glassformer.head_wall(FIVE, ["▁a", *in_hexadecimal, "b"]).panels["encoder"]
    assert panel.queries == ("▁a", "你", "b")


def test_rows_of_cross_attention_are_words_that_are_written(glassformer: ModuleType) -> None:
    read, written = ["</s>", "▁un", "believ", "able"], ["▁un", "believ", "able", "▁house"]
    figure = glassformer.attention_lines(
        softmaxed(2, 3, 4, 5), encoder_tokens=TOKENS["▁"], decoder_tokens=read, output_tokens=written, words=True
    )
    panel = figure.panels["cross"]
    assert (panel.queries, panel.read) == (("unbelievable", "house"), ("</s>", "unbelievable"))
    assert figure.words["read_beside"].startswith("word")
    assert [row["query"] for row in figure.rows()][::3] == ["unbelievable", "house"]
    figure.svg()


def test_a_recording_is_shown_in_words_too(glassformer: ModuleType) -> None:
    recording = {"encoder_attention": FIVE, "source_tokens": TOKENS["##"]}
    figure = glassformer.trace(recording, words=True, language="zh")
    assert figure.panels["encoder"].keys == ("[CLS]", "unbelievable", "[SEP]")
    with pytest.raises(ValueError, match="words joins attention weights"):
        glassformer.trace(recording, "encoder_attention", words=True)


def test_another_mark_is_refused_in_a_sentence(glassformer: ModuleType) -> None:
    with pytest.raises(ValueError, match="words is True, False or one of ▁, Ġ, ##"):
        glassformer.head_wall(FIVE, TOKENS["▁"], words="#")
