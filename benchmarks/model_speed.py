"""The model alone, one thread: what recording costs, and what the key/value cache saves.

Weights are untrained, the sizes are those of a 6 + 6 layer translator of 22 sentences (system C):
d_model 256, 8 heads, d_ff 512.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import torch
from torch import Tensor

from benchmarks.timing import Row, medians, seconds
from model.decoding import greedy
from model.tokenizer import BOS, EOS
from model.trace import Recorder, Tap, silent
from model.transformer import Transformer, TransformerConfig

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
