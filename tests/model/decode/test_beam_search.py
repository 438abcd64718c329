"""Beam search: one hypothesis is greedy, all of them are everything, and every score can be computed again."""

import math
from itertools import product

import pytest
import torch

from model.config import TransformerConfig
from model.decode.beam_search import BeamTree, beam_search, length_penalty, reorder
from model.decode.greedy import greedy
from model.errors import InvalidInput
from model.parts.key_values import LayerCache
from model.tokenization.tokenizer import BOS, EOS
from model.transformer import Transformer
from tests.conftest import tiny

A, B, C = 4, 5, 6
SOURCE = [BOS, 5, 9, 7, EOS]


def decoder_alone(seed: int = 0, vocabulary: int = 19) -> Transformer:
    torch.manual_seed(seed)
    config = TransformerConfig(
        architecture="decoder", target_vocabulary=vocabulary, d_model=16, heads=2, encoder_layers=0, decoder_layers=2,
        d_ff=24, norm="pre", final_norm=True, init="normal", max_length=64,
    )  # fmt: skip
    return Transformer(config).eval()


def bigram(rows: dict[int, dict[int, float]], vocabulary: int = 7) -> Transformer:
    """A real decoder that knows the last token alone: rows[last][next] are probabilities, the rest next to none."""
    config = TransformerConfig(
        architecture="decoder", target_vocabulary=vocabulary, d_model=vocabulary, heads=1, encoder_layers=0,
        decoder_layers=1, d_ff=1, norm="none", position="none", scale_embedding=False, max_length=64,
    )  # fmt: skip
    model = Transformer(config).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.zero_()
    model.target_embedding.weight.copy_(torch.eye(vocabulary))
    model.output.weight.fill_(math.log(1e-12))
    for last, following in rows.items():
        for token, probability in following.items():
            model.output.weight[token, last] = math.log(probability)
    return model


def fresh(model: Transformer, tree: BeamTree, source: list[int], ids: tuple[int, ...]) -> float:
    """Sum of the log-probabilities of `ids` in one pass without a cache, in nats."""
    read = torch.tensor([[*tree.start, *ids[:-1]]])
    if model.config.architecture == "decoder":
        logits = model(None, read, None)
    else:
        sentence = torch.tensor([source])
        logits = model(sentence, read, torch.ones_like(sentence, dtype=torch.bool))
    rows = logits[0, len(tree.start) - 1 :].double().log_softmax(dim=-1)
    return sum(float(row[id_]) for row, id_ in zip(rows, ids, strict=True))


MODELS = [lambda seed: tiny("post", seed=seed), lambda seed: tiny("pre", final_norm=True, seed=seed), decoder_alone]


@pytest.mark.parametrize("make", MODELS)
def test_one_hypothesis_is_greedy(make) -> None:
    stops = set()
    for seed in range(5):
        model = make(seed)
        for limit in (1, 7, 40):
            best = beam_search(model, SOURCE, limit, beam=1).best
            expected = greedy(model, [SOURCE], limit)[0]
            assert (best.ids, best.stop) == (expected.ids, expected.stop)
            stops.add(best.stop)
    assert len(stops) > 1


@pytest.mark.parametrize("make", MODELS)
def test_every_node_has_the_log_probability_of_a_fresh_pass(make) -> None:
    model = make(3)
    tree = beam_search(model, SOURCE, 12, beam=4, forced=(8, 11))
    tokens = [tree.nodes[i].token for i in tree.path(tree.hypotheses[-1].node)]
    assert tuple(tokens) == tree.hypotheses[-1].ids
    with torch.inference_mode():
        for hypothesis in tree.hypotheses:
            assert hypothesis.log_probability == pytest.approx(fresh(model, tree, SOURCE, hypothesis.ids), abs=1e-4)
        for number, node in enumerate(tree.nodes):
            ids = tuple(tree.nodes[i].token for i in tree.path(number))
            assert node.total == pytest.approx(fresh(model, tree, SOURCE, ids), abs=1e-4)


def test_hypotheses_change_rows_in_the_search_above() -> None:
    """Otherwise a cache that is never reordered would pass for right."""
    tree = beam_search(tiny("post", seed=3), SOURCE, 12, beam=4, forced=(8, 11))
    steps: dict[int, list[int]] = {}
    for number, node in enumerate(tree.nodes):
        if node.state == "live":
            steps.setdefault(node.step, []).append(number)
    parents = [[steps[s - 1].index(tree.nodes[i].parent) for i in steps[s]] for s in steps if s]
    assert any(rows != list(range(len(rows))) for rows in parents)


def test_a_beam_wide_enough_finds_everything() -> None:
    """All sequences of at most 3 tokens, each once; their probabilities sum to 1; the best is the best of all."""
    model = decoder_alone(1, vocabulary=6)
    tree = beam_search(model, [BOS], 3, beam=6**3, alpha=0.6)
    others = [token for token in range(6) if token != EOS]
    complete = [(*head, EOS) for length in range(3) for head in product(others, repeat=length)]
    cut = list(product(others, repeat=3))
    assert sorted(h.ids for h in tree.hypotheses) == sorted(complete + cut)
    assert sum(math.exp(h.log_probability) for h in tree.hypotheses) == pytest.approx(1, abs=1e-9)
    assert not [node for node in tree.nodes if node.state == "dropped"]
    with torch.inference_mode():
        best = max(complete, key=lambda ids: fresh(model, tree, [BOS], ids) / length_penalty(len(ids), 0.6))
    assert tree.best.ids == best


def test_the_tree_by_hand() -> None:
    """Greedy takes A (0.6) and ends at 0.6 · 0.5 = 0.30; with two hypotheses B <eos>, 0.4 · 0.9 = 0.36, wins."""
    model = bigram({BOS: {A: 0.6, B: 0.4}, A: {C: 0.5, B: 0.3, EOS: 0.2}, B: {EOS: 0.9, C: 0.1}, C: {EOS: 1.0}})
    assert greedy(model, [[BOS]], 5)[0].ids == (A, C, EOS)
    tree = beam_search(model, [BOS], 5, beam=2, alpha=0.0)
    rows = [(n.token, round(math.exp(n.total), 4), n.parent, n.step, n.state) for n in tree.nodes]
    assert rows == [
        (A, 0.6, None, 0, "live"),
        (B, 0.4, None, 0, "live"),
        (EOS, 0.36, 1, 1, "finished"),
        (C, 0.3, 0, 1, "live"),
        (B, 0.18, 0, 1, "dropped"),
        (C, 0.04, 1, 1, "dropped"),
        (EOS, 0.3, 3, 2, "finished"),  # one place was left, so one continuation was looked at
    ]
    assert [(h.ids, round(math.exp(h.score), 4)) for h in tree.hypotheses] == [((B, EOS), 0.36), ((A, C, EOS), 0.3)]
    assert tree.path(6) == (0, 3, 6)


def test_the_length_penalty_by_hand() -> None:
    """ln 0.36 / (7/6) = -0.876 and ln 0.30 / (8/6) = -0.903 at alpha 1; at alpha 2 the longer one wins."""
    assert length_penalty(1, 0.6) == 1
    assert length_penalty(7, 1.0) == 2
    assert length_penalty(13, 2.0) == 9
    model = bigram({BOS: {A: 0.6, B: 0.4}, A: {C: 0.5, B: 0.3, EOS: 0.2}, B: {EOS: 0.9, C: 0.1}, C: {EOS: 1.0}})
    scores = [h.score for h in beam_search(model, [BOS], 5, beam=2, alpha=1.0).hypotheses]
    assert scores == pytest.approx([math.log(0.36) * 6 / 7, math.log(0.30) * 6 / 8], abs=1e-4)
    assert beam_search(model, [BOS], 5, beam=2, alpha=2.0).best.ids == (A, C, EOS)


@pytest.mark.parametrize("make", MODELS)
@pytest.mark.parametrize("beam", [2, 3, 5])
def test_a_tree_is_a_tree(make, beam: int) -> None:
    tree = beam_search(make(2), SOURCE, 15, beam=beam)
    nodes = [node for node in tree.nodes if node.state != "dropped"]
    parents = {node.parent for node in tree.nodes if node.parent is not None}
    for node in tree.nodes:
        parent = tree.nodes[node.parent] if node.parent is not None else None
        assert node.step == (parent.step + 1 if parent else 0)
        assert node.total == pytest.approx((parent.total if parent else 0) + node.log_probability)
    assert {tree.nodes[i].state for i in parents} == {"live"}
    for step in {node.step for node in tree.nodes}:
        here = [node for node in tree.nodes if node.step == step]
        complete = sum(node.state == "finished" and node.step < step for node in tree.nodes)
        assert sum(node.step == step for node in nodes) == beam - complete
        assert here == sorted(here, key=lambda node: -node.total)
        assert "dropped" not in [node.state for node in here[: beam - complete]]
    assert sorted(h.node for h in tree.hypotheses) == [i for i, n in enumerate(tree.nodes) if n.state == "finished"]
    assert len(tree.hypotheses) == beam


def test_hypotheses_that_end_go_before_those_that_are_cut() -> None:
    model = bigram({BOS: {A: 0.9, B: 0.1}, A: {A: 0.99, EOS: 0.01}, B: {EOS: 1.0}})
    tree = beam_search(model, [BOS], 3, beam=2)
    assert [(h.ids, h.stop) for h in tree.hypotheses] == [((B, EOS), "eos"), ((A, A, A), "length")]
    looped = beam_search(model, [BOS], 30, beam=1).best
    assert (looped.ids, looped.stop) == ((A, A, A, A), "repetition")


def test_what_is_forced_is_read_and_not_scored() -> None:
    model = bigram({BOS: {A: 0.9, B: 0.1}, A: {C: 1.0}, B: {EOS: 0.8, C: 0.2}, C: {EOS: 1.0}})
    tree = beam_search(model, [BOS], 5, beam=1, forced=[B])
    assert tree.start == (BOS, B)
    assert tree.best.ids == (EOS,)
    assert tree.best.log_probability == pytest.approx(math.log(0.8), abs=1e-4)


def test_an_edit_acts_in_the_encoder_and_at_every_step() -> None:
    model = tiny("post", seed=1)
    names: list[str] = []

    def only_c(name: str, value: torch.Tensor) -> torch.Tensor:
        names.append(name)
        return torch.nn.functional.one_hot(torch.full(value.shape[:2], C), 19) * 50.0 if name == "logits" else value

    assert beam_search(model, SOURCE, 3, beam=1, tap=only_c).best.ids == (C, C, C)
    assert names.count("encoder.output") == 1
    assert names.count("decoder.1.cross_attention.weights") == 3


def test_reordering_takes_whole_rows() -> None:
    cache = LayerCache()
    rows = torch.arange(3.0)[:, None, None, None].expand(3, 2, 5, 4)
    cache.self_attention.add(rows, rows + 10)
    cache.cross_attention.add(rows[:1], rows[:1])
    reorder([cache], [2, 0, 2, 1])
    assert cache.self_attention.k[:, 0, 0, 0].tolist() == [2, 0, 2, 1]
    assert cache.self_attention.v[:, 1, 4, 3].tolist() == [12, 10, 12, 11]
    assert cache.cross_attention.k.size(0) == 1


REFUSALS = [
    ("beam_length", {"limit": 65}, SOURCE), ("config_number", {"beam": 0}, SOURCE),
    ("config_number", {"limit": 0}, SOURCE), ("beam_alpha", {"alpha": -0.1}, SOURCE),
    ("beam_alpha", {"alpha": math.nan}, SOURCE),
]  # fmt: skip


@pytest.mark.parametrize(("code", "given", "source"), REFUSALS)
def test_it_refuses_what_it_cannot_do(code: str, given: dict, source: list[int]) -> None:
    with pytest.raises(InvalidInput) as refusal:
        beam_search(tiny(), source, **{"limit": 5, **given})
    assert refusal.value.code == code


def test_it_fills_the_positions_to_the_last_and_refuses_the_next() -> None:
    model = decoder_alone()
    prompt = [4 + i % 3 for i in range(60)]
    assert beam_search(model, prompt, 5, beam=2).hypotheses
    with pytest.raises(InvalidInput, match="65 tokens are to be read, but the model has 64 positions"):
        beam_search(model, prompt, 6, beam=2)
    with pytest.raises(InvalidInput, match="prompt is empty"):
        beam_search(model, [], 5)


def test_an_encoder_alone_cannot_be_searched() -> None:
    config = TransformerConfig(
        architecture="encoder", source_vocabulary=9, d_model=8, heads=1, encoder_layers=1, decoder_layers=0, d_ff=8
    )
    with pytest.raises(InvalidInput, match="choose a model with a decoder"):
        beam_search(Transformer(config), [1], 5)
