"""The model alone, one thread: what recording costs, also beside torch's own model, and what the cache saves.

Weights are untrained, the sizes are those of a 6 + 6 layer translator of 22 sentences (system C):
d_model 256, 8 heads, d_ff 512; beside torch's they are the paper's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import torch
from torch import Tensor, nn

from benchmarks.harness.timing import Row, medians, seconds
from model import presets
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.tokenization.tokenizer import BOS, EOS
from model.trace import Recorder, Tap, silent
from model.transformer import Transformer

VOCABULARY = 64
LENGTH = 20  # tokens of the source, and of the target of the traced pass


def trace() -> list[Row]:
    """One forward pass, every value recorded ÷ nothing recorded."""
    with _one_thread():
        model, source, target = _model(), _ids(LENGTH), _ids(LENGTH)
        mask = torch.ones_like(source, dtype=torch.bool)

        def forward(tap: Tap) -> float:
            return seconds(lambda: model(source, target, mask, tap))

        def recorded() -> float:
            recorder = Recorder()  # kept beyond the measurement, as a trace is
            return forward(recorder)

        def unrecorded() -> float:
            return forward(silent)

        medians(recorded, unrecorded, 5)  # the first passes find cold caches
        ours, other = medians(recorded, unrecorded, 150)
    return [Row(f"trace: forward pass recorded ÷ silent, {LENGTH} tokens", ours, other, Fraction(11, 10))]


def paper() -> list[Row]:
    """One forward pass of the paper's sizes, every value recorded ÷ torch's own layers with the same embedding.

    Both read the same ids with the same weights, once through our embedding and output layer; torch's model
    needs no values of its attention and may take its fused path.
    """
    with _one_thread():
        torch.manual_seed(0)
        model = Transformer(presets.find("paper").config).eval().requires_grad_(False)
        reference, source, target = torch_transformer(model), _ids(LENGTH), _ids(LENGTH)
        mask = torch.ones_like(source, dtype=torch.bool)
        future = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(
            1
        )  # torch's masks are true where nothing may be seen

        def recorded() -> Tensor:
            return model(source, target, mask, Recorder())

        def theirs() -> Tensor:
            read = (model.embed("encoder", source, 0, silent), model.embed("decoder", target, 0, silent))
            return model.output(reference(*read, tgt_mask=future, tgt_is_causal=True))

        if not torch.allclose(recorded(), theirs(), atol=1e-3):
            raise RuntimeError("torch's model computes something else")
        medians(lambda: seconds(recorded), lambda: seconds(theirs), 2)
        ours, other = medians(lambda: seconds(recorded), lambda: seconds(theirs), 21)
    return [Row(f"paper: forward recorded ÷ nn.Transformer, {LENGTH} tokens", ours, other, None)]


def torch_transformer(model: Transformer) -> nn.Transformer:
    """torch's stacks with the weights of a post-norm encoder-decoder."""
    config = model.config
    theirs = nn.Transformer(
        config.d_model, config.heads, config.encoder_layers, config.decoder_layers, config.d_ff, batch_first=True
    )
    theirs.encoder.norm = theirs.decoder.norm = None  # the paper's stacks end without one
    copy_layers(model, theirs)
    return theirs.eval().requires_grad_(False)


def copy_layers(model: Transformer, theirs: nn.Transformer) -> None:
    """The weights of our layers into torch's."""
    for side, layers in (("encoder", model.encoder), ("decoder", model.decoder)):
        for layer, other in zip(layers, getattr(theirs, side).layers, strict=True):
            _copy(layer.self_attention, other.self_attn)
            if side == "decoder":
                _copy(layer.cross_attention, other.multihead_attn)
            other.linear1.load_state_dict(layer.feed_forward.hidden.state_dict())
            other.linear2.load_state_dict(layer.feed_forward.output.state_dict())
            for number, residual in enumerate(layer.residuals, 1):
                getattr(other, f"norm{number}").load_state_dict(residual.norm.state_dict())


def _copy(ours: nn.Module, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.copy_(torch.cat([getattr(ours, part).weight for part in "qkv"]))
    theirs.in_proj_bias.copy_(torch.cat([getattr(ours, part).bias for part in "qkv"]))
    theirs.out_proj.load_state_dict(ours.output.state_dict())


def decoding() -> list[Row]:
    """Greedy decoding with the cache ÷ the decoder run over all tokens at each step; one run of the encoder in both."""
    with _one_thread():
        model, source = _talkative(_model()), _ids(LENGTH)
        return [
            _decoding(model, source, steps, times, goal)
            for steps, times, goal in ((15, 7, None), (60, 5, Fraction(1, 3)))
        ]


def _decoding(model: Transformer, source: Tensor, steps: int, times: int, goal: Fraction | None) -> Row:
    sources = source.tolist()
    cached = greedy(model, sources, steps)[0].ids
    recomputed = _recomputed(model, source, steps)
    if len(cached) != steps:
        raise RuntimeError(f"decoding stopped after {len(cached)} of {steps} tokens; the comparison needs all of them")
    if list(cached) != recomputed:
        raise RuntimeError(f"with and without the cache, other tokens: {cached} and {recomputed}")
    ours, other = medians(
        lambda: seconds(lambda: greedy(model, sources, steps)),
        lambda: seconds(lambda: _recomputed(model, source, steps)),
        times,
    )
    return Row(f"decoding: {steps} tokens, cached ÷ recomputed each step", ours, other, goal)


def _recomputed(model: Transformer, source: Tensor, steps: int) -> list[int]:
    mask = torch.ones_like(source, dtype=torch.bool)
    target = torch.tensor([[BOS]])
    with torch.inference_mode():
        memory = model.encode(source, mask)
        for _ in range(steps):
            logits = model.decode(target, memory, mask)  # (1, T, V)
            target = torch.cat([target, logits[:, -1:].argmax(dim=-1)], dim=1)
    return target[0, 1:].tolist()


def _model() -> Transformer:
    torch.manual_seed(0)
    config = TransformerConfig(
        source_vocabulary=VOCABULARY,
        target_vocabulary=VOCABULARY,
        d_model=256,
        heads=8,
        encoder_layers=6,
        decoder_layers=6,
        d_ff=512,
        norm="pre",
        final_norm=True,
    )
    return Transformer(config).eval().requires_grad_(False)


def _talkative(model: Transformer) -> Transformer:
    """The same work, but no early end: an untrained decoder soon repeats itself, or happens on `<eos>`.

    Positions that outweigh the words make it write something else at each step; a zero row keeps
    the logit of `<eos>` at 0, below the largest of the others.
    """
    model.sinusoids.normal_(std=4)
    model.output.weight[EOS] = 0
    return model


def _ids(length: int) -> Tensor:
    return torch.randint(EOS + 2, VOCABULARY, (1, length))


@contextmanager
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_num_threads(threads)
