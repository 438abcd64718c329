"""Circuits that are known: the term that makes each of them look where it looks is the largest one.

Two heads built by hand in a decoder whose embeddings have a half for the token and a half for the position, with noise
in all weights: one matches a position with the one before it, one a token with its earlier copies. And the pair of
heads that the checkpoint `induction` has learned: the first writes into each token which one stood before it, the
second looks for the token in view among what was written.
"""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from model.attribution.score_terms.terms import score_row
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.config import TransformerConfig
from model.decode.recorded_pass import recorded
from model.decode.translate import translate
from model.transformer import Transformer
from tests.samples import SAMPLES

HALF = 24
STRENGTH, NOISE = 3.0, 0.1
SCALE = {"none": 1.0, "pre": 0.25}  # a norm makes the stream longer, and with it all scores
PREVIOUS, COPY = 0, 1
LEAST = 0.95
REPEATED = ("kdfqzkdfqzkdfqzkdfqz", "qwertyuiopqwertyuiop", "thequickbrothequickb")
Cell = tuple[int, int]


def planted(norm: str) -> Transformer:
    """A decoder of one layer with both heads."""
    torch.manual_seed(0)
    model = Transformer(
        TransformerConfig(
            architecture="decoder", source_vocabulary=0, target_vocabulary=20, d_model=2 * HALF, heads=2,
            encoder_layers=0, decoder_layers=1, d_ff=4, norm=norm, position="learned", max_length=HALF,
            scale_embedding=False,
        )
    ).eval().requires_grad_(False)  # fmt: skip
    for parameter in model.decoder[0].self_attention.parameters():
        parameter.normal_(std=NOISE * SCALE[norm])
    table, positions = model.target_embedding.weight, model.position_tables["decoder"]
    table.normal_(std=NOISE)
    table[:, :HALF] = torch.nn.functional.normalize(torch.randn(20, HALF), dim=-1)
    positions.normal_(std=NOISE)
    positions[:, HALF:] = torch.eye(HALF)
    attention = model.decoder[0].self_attention
    strength = STRENGTH * SCALE[norm]
    head = slice(PREVIOUS * HALF, (PREVIOUS + 1) * HALF)
    attention.q.weight[head, HALF:] += strength * torch.eye(HALF).roll(-1, 0)  # position p asks for p − 1
    attention.k.weight[head, HALF:] += strength * torch.eye(HALF)
    head = slice(COPY * HALF, (COPY + 1) * HALF)
    for linear in (attention.q, attention.k):
        linear.weight[head, :HALF] += strength * torch.eye(HALF)
    return model


def largest(model: Transformer, values: dict[str, np.ndarray], layer: int, head: int, cells: Iterator[Cell]
            ) -> list[tuple[str, str]]:  # fmt: skip
    """The parts whose centred term is the largest in each cell."""
    result = []
    for query, key in cells:
        row = score_row(model, values, "decoder", layer, head, query)
        table = row.table(key, centred=True)
        p, r = np.unravel_index(int(np.abs(table).argmax()), table.shape)
        result.append((row.queries[p].recorded, row.keys[r].recorded))
    return result


def texts() -> list[list[int]]:
    rng = np.random.default_rng(0)
    return [rng.integers(4, 20, size=HALF).tolist() for _ in range(10)]


def before(ids: list[int]) -> Iterator[Cell]:
    return ((at, at - 1) for at in range(2, len(ids)))


def copies(ids: list[int]) -> Iterator[Cell]:
    return ((q, k) for q in range(len(ids)) for k in range(q) if ids[k] == ids[q])


@pytest.mark.parametrize("norm", ["none", "pre"])
@pytest.mark.parametrize(
    ("head", "cells", "term"),
    [
        (PREVIOUS, before, ("decoder.position", "decoder.position")),
        (COPY, copies, ("decoder.embedding", "decoder.embedding")),
    ],
)
def test_the_term_that_was_planted_is_the_largest(norm: str, head: int, cells, term: tuple[str, str]) -> None:
    model, found = planted(norm), []
    for ids in texts():
        values = recorded(model, (), ids)
        weights = values["decoder.0.self_attention.weights"][head]
        looked_at = [cell for cell in cells(ids) if weights[cell] > 1 / (cell[0] + 1)]
        assert len(looked_at) > 0.9 * len(list(cells(ids)))  # the head does what it was built for
        found += largest(model, values, 0, head, iter(looked_at))
    assert len(found) > 50
    assert found.count(term) / len(found) >= LEAST


def test_an_induction_head_looks_for_what_the_head_before_it_wrote() -> None:
    checkpoint, found = load(Entry(SAMPLES / "induction")), []
    for text in REPEATED:
        run = translate(checkpoint, text)
        ids = list(run.target)
        last = {
            q: max(k for k in range(1, q) if ids[k - 1] == ids[q]) for q in range(2, len(ids)) if ids[q] in ids[: q - 1]
        }
        found += largest(checkpoint.model, run.trace.values, 1, 0, iter(last.items()))
    assert len(found) > 50
    assert found.count(("decoder.embedding", "decoder.0.0")) / len(found) >= LEAST


def test_the_first_head_of_the_pair_matches_embeddings_that_positions_rotate() -> None:
    """`induction` has rotary positions, so its previous-token head has no part of its own for them."""
    checkpoint, found = load(Entry(SAMPLES / "induction")), []
    for text in REPEATED:
        run = translate(checkpoint, text)
        cells = iter(before(list(run.target)))
        found += largest(checkpoint.model, run.trace.values, 0, 0, cells)
    assert len(found) > 50
    assert found.count(("decoder.embedding", "decoder.embedding")) / len(found) >= LEAST
