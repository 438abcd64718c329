"""Attention of generate() beside that of one pass over what was generated, with small random models of transformers."""

from typing import Any

import numpy as np
import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration, GenerationMixin, GPT2Config, GPT2LMHeadModel

from viz.notebook.attention import attention_lines, head_wall

SOURCE = torch.tensor([[5, 6, 7, 8, 9, 2], [9, 9, 4, 6, 11, 2]])
SOURCE_TOKENS = [f"s{i}" for i in range(6)]
WAYS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "without cache": {"use_cache": False},
    "beams": {"num_beams": 3, "num_return_sequences": 2},
    "sampling": {"do_sample": True, "num_return_sequences": 2},
}


@pytest.fixture(scope="module")
def translator() -> GenerationMixin:
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=40, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, init_std=1.0, attn_implementation="eager",
    )  # fmt: skip
    return BartForConditionalGeneration(config).eval()


@pytest.fixture(scope="module")
def writer() -> GenerationMixin:
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=40, n_embd=16, n_layer=2, n_head=2, initializer_range=1.0, attn_implementation="eager"
    )
    return GPT2LMHeadModel(config).eval()


def generate(model: GenerationMixin, ids: torch.Tensor, **settings: Any) -> Any:
    torch.manual_seed(1)
    with torch.no_grad():
        return model.generate(
            ids, attention_mask=torch.ones_like(ids), output_attentions=True, return_dict_in_generate=True,
            max_new_tokens=7, pad_token_id=1, **settings,
        )  # fmt: skip


def names(ids: torch.Tensor) -> list[str]:
    return [f"t{id_}" for id_ in ids.tolist()]


def length(ids: torch.Tensor) -> int:
    """Up to the first end after the start, or all."""
    ends = [at for at, id_ in enumerate(ids.tolist()) if id_ == 2 and at > 0]
    return (ends[0] + 1) if ends else len(ids)


@pytest.mark.parametrize("way", WAYS)
def test_a_translation_looks_as_in_one_pass(way: str, translator: Any) -> None:
    outputs = generate(translator, SOURCE, **WAYS[way])
    each = len(outputs.sequences) // len(SOURCE)
    for item, ids in enumerate(outputs.sequences):
        ids = ids[: length(ids)]
        figure = head_wall(outputs, item=item, encoder_tokens=SOURCE_TOKENS, decoder_tokens=names(ids))
        source = SOURCE[item // each][None]
        with torch.no_grad():
            whole = translator(input_ids=source, decoder_input_ids=ids[None, :-1], output_attentions=True)
        for kind in ("encoder", "decoder", "cross"):
            expected = torch.cat(getattr(whole, f"{kind}_attentions")).numpy()
            np.testing.assert_allclose(figure.panels[kind].weights, expected, atol=1e-5)
        assert figure.panels["cross"].queries == tuple(names(ids)[1:])  # what each step wrote
        assert figure.panels["cross"].read == figure.panels["decoder"].queries == tuple(names(ids)[:-1])


@pytest.mark.parametrize("way", WAYS)
def test_a_continuation_looks_as_in_one_pass(way: str, writer: Any) -> None:
    outputs = generate(writer, SOURCE[:, :4], eos_token_id=39, **WAYS[way])
    for item, ids in enumerate(outputs.sequences):
        figure = head_wall(outputs, names(ids), item=item)
        with torch.no_grad():
            whole = writer(ids[None, :-1], output_attentions=True)
        np.testing.assert_allclose(figure.panels["decoder"].weights, torch.cat(whole.attentions).numpy(), atol=1e-5)
        assert figure.panels["decoder"].queries == tuple(names(ids)[:-1])  # the prompt, then a row for each step


def test_a_single_tuple_of_steps_is_enough(translator: Any) -> None:
    outputs = generate(translator, SOURCE[:1])
    ids = outputs.sequences[0]
    figure = attention_lines(
        outputs.cross_attentions, encoder_tokens=SOURCE_TOKENS, decoder_tokens=names(ids[: length(ids)])
    )
    assert list(figure.panels) == ["cross"]
    np.testing.assert_allclose(figure.panels["cross"].weights.sum(axis=-1), 1, atol=1e-5)


def test_what_does_not_fit_is_named(translator: Any) -> None:
    outputs = generate(translator, SOURCE)
    with pytest.raises(ValueError, match="sequences: there are 2; choose one, item=0 to item=1"):
        head_wall(outputs, encoder_tokens=SOURCE_TOKENS, decoder_tokens=["a", "b"])
    with pytest.raises(ValueError, match="there is no item=2"):
        head_wall(outputs, item=2, encoder_tokens=SOURCE_TOKENS, decoder_tokens=["a", "b"])
    with pytest.raises(ValueError, match=r"7 rows, but 20 tokens were given as decoder_tokens"):
        head_wall(outputs, item=0, encoder_tokens=SOURCE_TOKENS, decoder_tokens=["a"] * 20)
    steps = tuple((None,) for _ in range(3))
    with pytest.raises(ValueError, match=r"no layer has weights \(None\).*eager"):
        head_wall(steps, ["a"] * 4, kind="decoder")
    several = tuple((torch.full((1, 2, 2, 4), 0.25),) for _ in range(3))
    with pytest.raises(ValueError, match=r"2 queries.*not assisted decoding"):
        head_wall(several, ["a"] * 5, kind="decoder")
