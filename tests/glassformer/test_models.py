"""Attention of models that have more than one softmax over a list of tokens: small random ones of transformers."""

from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    CLIPConfig,
    CLIPModel,
    GPT2Config,
    GPT2LMHeadModel,
    GptOssConfig,
    GptOssForCausalLM,
    LongformerConfig,
    LongformerModel,
    MistralConfig,
    MistralForCausalLM,
    ModernBertConfig,
    ModernBertModel,
    T5Gemma2Config,
    T5Gemma2ForConditionalGeneration,
    T5GemmaConfig,
    T5GemmaForConditionalGeneration,
    ViTConfig,
    ViTModel,
    WhisperConfig,
    WhisperForConditionalGeneration,
    XLNetConfig,
    XLNetModel,
)
from transformers.models.gpt_oss import modeling_gpt_oss

from viz.notebook.attention import attention_lines, head_wall

IDS = torch.tensor([[5, 6, 7, 8, 9, 4]])
TINY: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 8, "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 39,
    "initializer_range": 0.5,
}  # fmt: skip
GENERATE: dict[str, Any] = {"output_attentions": True, "return_dict_in_generate": True, "max_new_tokens": 5}


def names(letter: str, count: int) -> list[str]:
    return [f"{letter}{i}" for i in range(count)]


def weights(figure: Any, kind: str = "decoder") -> np.ndarray:
    values: np.ndarray = figure.panels[kind].weights
    return values


def stacked(layers: Any) -> np.ndarray:
    values: np.ndarray = torch.cat(tuple(layers)).detach().numpy()
    return values


@pytest.fixture(scope="module")
def windowed() -> Any:
    """Reads six tokens at once, and has a window of six."""
    torch.manual_seed(0)
    return MistralForCausalLM(MistralConfig(**TINY, sliding_window=6, attn_implementation="eager")).eval()


@pytest.fixture(scope="module")
def writer() -> Any:
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=40, n_embd=16, n_layer=2, n_head=2, initializer_range=1.0, bos_token_id=2, eos_token_id=39,
        pad_token_id=1, attn_implementation="eager",
    )  # fmt: skip
    return GPT2LMHeadModel(config).eval()


@pytest.mark.parametrize("mask", [True, False])
def test_padding_on_the_left_makes_no_encoder(mask: bool, writer: Any) -> None:
    """With its mask it is left out, and the rest is that of the sentence alone."""
    batch = torch.tensor([[1, 1, 1, 5, 6, 7], [5, 6, 7, 8, 9, 4]])
    given = {"attention_mask": (batch != 1).long()}
    outputs = writer(
        batch, **given, position_ids=torch.tensor([[0, 0, 0, 0, 1, 2], [*range(6)]]), output_attentions=True
    )
    figure = head_wall(outputs, names("t", 6), item=0, **(given if mask else {}))
    assert list(figure.panels) == ["decoder"]
    if mask:
        assert figure.panels["decoder"].queries == figure.panels["decoder"].keys == ("t3", "t4", "t5")
        alone = writer(batch[:1, 3:], output_attentions=True)
        np.testing.assert_allclose(weights(figure), stacked(alone.attentions), atol=1e-6)
    else:
        np.testing.assert_allclose(weights(figure), stacked(layer[:1] for layer in outputs.attentions))


def test_padding_of_a_prompt_is_left_out(writer: Any) -> None:
    batch = torch.tensor([[1, 1, 1, 5, 6, 7], [5, 6, 7, 8, 9, 4]])
    mask = (batch != 1).long()
    outputs = writer.generate(batch, attention_mask=mask, num_return_sequences=2, do_sample=True, **GENERATE)
    count = outputs.sequences.shape[1]
    figure = attention_lines(outputs, names("t", count), item=1, attention_mask=mask)
    alone = writer(outputs.sequences[1:2, 3:-1], output_attentions=True)
    np.testing.assert_allclose(weights(figure), stacked(alone.attentions), atol=1e-6)
    assert figure.panels["decoder"].queries == tuple(names("t", count)[3:-1])
    with pytest.raises(ValueError, match=r"attention_mask has 2 numbers for 6 tokens: give the attention_mask"):
        head_wall(writer(batch, output_attentions=True), names("t", 6), item=0, attention_mask=[1, 0])


def test_each_side_has_its_own_mask() -> None:
    both = {"encoder": np.full((1, 1, 3, 3), 1 / 3), "cross": np.full((1, 1, 2, 3), 1 / 3), "decoder": np.eye(2)[None]}
    figure = head_wall(
        {**both, "encoder": [[[[0.5, 0.5, 0]] * 3]], "cross": [[[[0.5, 0.5, 0]] * 2]]},
        encoder_tokens=names("s", 3), decoder_tokens=names("t", 2),
        attention_mask=[1, 1, 0], decoder_attention_mask=[0, 1],
    )  # fmt: skip
    assert {kind: (panel.queries, panel.keys) for kind, panel in figure.panels.items()} == {
        "encoder": (("s0", "s1"), ("s0", "s1")), "cross": (("t1",), ("s0", "s1")), "decoder": (("t1",), ("t1",)),
    }  # fmt: skip


def test_what_a_learned_sink_takes_is_a_column(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    torch.manual_seed(0)
    config = GptOssConfig(
        **TINY, num_local_experts=2, num_experts_per_tok=1, sliding_window=4, attn_implementation="eager"
    )
    model = GptOssForCausalLM(config).eval()
    for layer in model.model.layers:
        torch.nn.init.normal_(layer.self_attn.sinks)
    whole = []  # keys, then the sink, which the model drops from what it hands out
    softmax = modeling_gpt_oss.F.softmax

    def caught(*arguments: Any, **named: Any) -> torch.Tensor:
        result = softmax(*arguments, **named)
        whole.append(result)
        return result

    monkeypatch.setattr(modeling_gpt_oss.F, "softmax", caught)
    outputs = model(IDS, output_attentions=True)
    monkeypatch.undo()
    expected = stacked(each for each in whole if each.dim() == 4)
    recwarn.clear()
    figure = head_wall(outputs, names("t", 6), language="en")
    assert not [str(each.message) for each in recwarn]
    np.testing.assert_allclose(weights(figure), expected, atol=1e-6)
    panel = figure.panels["decoder"]
    assert (panel.keys[-1], panel.key_specials[-1], len(panel.queries)) == ("(rest)", True, 6)
    assert "The last column is what a row lacks to 1" in figure.words["about_decoder"]
    assert "(rest)" in figure.svg()
    generated = model.generate(IDS, **GENERATE)
    figure = head_wall(generated, names("t", generated.sequences.shape[1]), words=True, language="zh")
    np.testing.assert_allclose(weights(figure).sum(axis=-1), 1, atol=1e-6)
    assert figure.panels["decoder"].keys[-1] == "（其余）"


@pytest.fixture(scope="module")
def merging() -> Any:
    torch.manual_seed(0)
    tiny = TINY | {"sliding_window": 4}
    vision = {
        "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 16,
        "patch_size": 8,
    }  # fmt: skip
    encoder = {"text_config": tiny, "vision_config": vision, "mm_tokens_per_image": 1, "image_token_index": 38}
    config = T5Gemma2Config(encoder=encoder, decoder=dict(tiny), image_token_index=38, eoi_token_index=37)
    model = T5Gemma2ForConditionalGeneration(config).eval()
    model.set_attn_implementation("eager")
    return model


def test_merged_attention_is_one_figure(merging: Any, recwarn: pytest.WarningsRecorder) -> None:
    """One softmax over the decoder's own tokens and the source."""
    outputs = merging(input_ids=IDS, decoder_input_ids=IDS[:, :4], output_attentions=True)
    sides = {"encoder_tokens": names("s", 6), "decoder_tokens": names("t", 4)}
    expected = [torch.cat(both, -1) for both in zip(outputs.decoder_attentions, outputs.cross_attentions, strict=True)]
    recwarn.clear()
    for given, kinds in ((outputs, ["encoder", "decoder"]), (expected, ["decoder"])):
        figure = head_wall(given, **sides, kind="cross")  # type: ignore[arg-type]
        assert list(figure.panels) == kinds
        np.testing.assert_array_equal(weights(figure), stacked(expected))
        assert figure.panels["decoder"].keys == (*names("t", 4), *names("s", 6))
        assert "merged self- and cross-attention · layer 0 · head 0" in figure.svg()
    assert not [str(each.message) for each in recwarn]
    generated = merging.generate(IDS, **GENERATE)
    read = generated.sequences[:, :-1]
    whole = merging(input_ids=IDS, decoder_input_ids=read, output_attentions=True)
    sides["decoder_tokens"] = names("t", read.shape[1] + 1)
    figure = head_wall(generated, **sides)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="attention_mask has 5 numbers for 6 tokens"):
        head_wall(generated, **sides, attention_mask=[1] * 5)  # type: ignore[arg-type]
    layers = [torch.cat(both, -1) for both in zip(whole.decoder_attentions, whole.cross_attentions, strict=True)]
    np.testing.assert_allclose(weights(figure), stacked(layers), atol=1e-5)


CACHES: dict[str, dict[str, Any]] = {
    "a window as long as the prompt": {},
    "static": {"cache_implementation": "static"},
}


@pytest.mark.parametrize("way", CACHES)
@pytest.mark.parametrize("alone", [True, False])
def test_steps_with_such_a_cache_look_as_in_one_pass(alone: bool, way: str, windowed: Any) -> None:
    """All steps have as many keys, as those of cross-attention have."""
    outputs = windowed.generate(IDS, **GENERATE, **CACHES[way])
    assert len({step[0].shape[-1] for step in outputs.attentions}) == 1
    tokens = names("t", outputs.sequences.shape[1])
    figure = head_wall(outputs.attentions if alone else outputs, tokens)
    whole = windowed(outputs.sequences[:, :-1], output_attentions=True)
    np.testing.assert_allclose(weights(figure), stacked(whole.attentions), atol=1e-6)


@pytest.mark.parametrize("alone", [True, False])
def test_a_prompt_in_chunks_has_the_rows_of_the_last_one(alone: bool, writer: Any) -> None:
    outputs = writer.generate(IDS, **GENERATE, prefill_chunk_size=4)
    tokens = names("t", outputs.sequences.shape[1])
    figure = head_wall(outputs.attentions if alone else outputs, tokens)
    whole = writer(outputs.sequences[:, :-1], output_attentions=True)
    np.testing.assert_allclose(weights(figure), stacked(whole.attentions)[:, :, 4:], atol=1e-5)
    assert figure.panels["decoder"].queries == tuple(tokens[4:-1])
    assert figure.panels["decoder"].keys == tuple(tokens[:-1])


@pytest.mark.filterwarnings("ignore:.past_key_values. is deprecated")  # older versions know no other name
@pytest.mark.parametrize("new", [1, 2])
def test_a_pass_that_goes_on_with_a_cache_has_the_last_rows(new: int, writer: Any) -> None:
    cache = writer(IDS[:, :-new]).past_key_values
    outputs = writer(IDS[:, -new:], past_key_values=cache, output_attentions=True)
    figure = head_wall(outputs, names("t", 6))
    whole = writer(IDS, output_attentions=True)
    np.testing.assert_allclose(weights(figure), stacked(whole.attentions)[:, :, -new:], atol=1e-6)
    assert figure.panels["decoder"].queries == tuple(names("t", 6)[-new:])
    with pytest.raises(ValueError, match=r"goes on with a cache.*give all, those in the cache too"):
        head_wall(outputs, names("t", new))
    if new == 1:  # it may as well be the first row of an encoder
        with pytest.raises(ValueError, match=r"1 row, but 6 tokens.* kind='decoder'"):
            head_wall(outputs.attentions, names("t", 6))


@pytest.mark.parametrize("of_all", [[], [0, 4]])
def test_columns_relative_to_the_row_are_put_in_their_places(of_all: list[int]) -> None:
    """Longformer's: a window round each token, and tokens that look at all and are looked at by all."""
    torch.manual_seed(0)
    config = LongformerConfig(
        vocab_size=40, hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2,
        attention_window=[4, 8], max_position_embeddings=64, initializer_range=0.5, pad_token_id=1,
    )  # fmt: skip
    model = LongformerModel(config).eval()
    vectors: list[torch.Tensor] = []
    model.encoder.layer[1].attention.self.register_forward_hook(lambda _, given, made: vectors.append(given[0]))
    ids = torch.tensor([[0, 5, 6, 7, 8, 9, 4, 10, 11, 12, 2]])
    with torch.no_grad():
        outputs = model(
            ids, global_attention_mask=torch.tensor([[int(i in of_all) for i in range(11)]]), output_attentions=True
        )
        figure = head_wall(outputs, names("t", 11))
        layer, x = model.encoder.layer[1].attention.self, vectors[0][0, :11]

        def scores(query: Any, key: Any) -> torch.Tensor:
            q, k = (part(x).view(11, 2, 8).transpose(0, 1) for part in (query, key))
            return q @ k.transpose(1, 2) / 8**0.5

        places = torch.arange(11)
        seen = (places[:, None] - places).abs() <= 4
        seen[:, of_all] = True
        expected = scores(layer.query, layer.key).masked_fill(~seen, -torch.inf).softmax(-1)
        expected[:, of_all] = scores(layer.query_global, layer.key_global).softmax(-1)[:, of_all]
    np.testing.assert_allclose(weights(figure, "encoder")[1], expected.numpy(), atol=1e-5)
    np.testing.assert_allclose(weights(figure, "encoder").sum(axis=-1), 1, atol=1e-5)


def test_outputs_of_two_models_say_which_there_are() -> None:
    small = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = CLIPConfig(
        text_config=small | {"vocab_size": 40, "eos_token_id": 2},
        vision_config=small | {"image_size": 16, "patch_size": 8},
        projection_dim=8,
    )
    model = CLIPModel(config).eval()
    model.set_attn_implementation("eager")
    outputs = model(input_ids=IDS, pixel_values=torch.zeros(1, 3, 16, 16), output_attentions=True)
    with pytest.raises(ValueError, match=r"outputs\.text_model_output or outputs\.vision_model_output"):
        head_wall(outputs, names("t", 6))
    assert list(head_wall(outputs.text_model_output, names("t", 6)).panels) == ["decoder"]
    assert list(head_wall(outputs.vision_model_output, ["[CLS]", *names("p", 4)]).panels) == ["encoder"]


def test_layers_without_attention_stay_in_their_places(writer: Any) -> None:
    """A hybrid model hands out None for them; the figure starts with a layer that has weights."""
    [layer, _] = writer(IDS, output_attentions=True).attentions
    figure = head_wall((None, None, layer, None), names("t", 6))
    assert (figure.look.layer, weights(figure).shape) == (2, (4, 2, 6, 6))
    assert weights(figure).any(axis=(1, 2, 3)).tolist() == [False, False, True, False]
    assert "this layer has no attention" in figure.words["no_weights"]
    assert "this layer" not in head_wall((layer,), names("t", 6)).words["no_weights"]


def vit() -> Any:
    config = ViTConfig(
        hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2, image_size=16, patch_size=8
    )
    return ViTModel(config), {"pixel_values": torch.zeros(1, 3, 16, 16)}


def xlnet() -> Any:
    return XLNetModel(XLNetConfig(vocab_size=40, d_model=16, n_layer=2, n_head=2, d_inner=16)), {"input_ids": IDS}


def modern_bert() -> Any:
    config = ModernBertConfig(**TINY, local_attention=4, global_attn_every_n_layers=2, cls_token_id=2, sep_token_id=3)
    return ModernBertModel(config), {"input_ids": IDS}


def t5_gemma() -> Any:
    config = T5GemmaConfig(encoder=dict(TINY), decoder=dict(TINY), vocab_size=40)
    return T5GemmaForConditionalGeneration(config), {"input_ids": IDS, "decoder_input_ids": IDS[:, :4]}


def whisper() -> Any:
    config = WhisperConfig(
        vocab_size=40, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_source_positions=6, num_mel_bins=4,
        pad_token_id=0, bos_token_id=2, eos_token_id=39, decoder_start_token_id=2,
    )  # fmt: skip
    given = {"input_features": torch.randn(1, 4, 12), "decoder_input_ids": IDS[:, :4]}
    return WhisperForConditionalGeneration(config), given


@pytest.mark.parametrize("made", [vit, xlnet, modern_bert, t5_gemma, whisper])
def test_a_figure_shows_what_the_model_hands_out(made: Any, recwarn: pytest.WarningsRecorder) -> None:
    torch.manual_seed(0)
    model, given = made()
    model.eval().set_attn_implementation("eager")
    outputs = model(**given, output_attentions=True)
    recwarn.clear()
    if hasattr(outputs, "attentions"):
        figure = head_wall(outputs, names("t", outputs.attentions[0].shape[-1]))
        expected = {"encoder": outputs.attentions}
    else:
        figure = head_wall(outputs, encoder_tokens=names("s", 6), decoder_tokens=names("t", 4))
        expected = {kind: getattr(outputs, f"{kind}_attentions") for kind in ("encoder", "decoder", "cross")}
    assert not [str(each.message) for each in recwarn]
    assert list(figure.panels) == list(expected)
    for kind, layers in expected.items():
        np.testing.assert_array_equal(weights(figure, kind), stacked(layers))
