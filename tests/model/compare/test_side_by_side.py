"""Two models side by side: every number against its definition, written here once more."""

import dataclasses
import math
from dataclasses import asdict

import numpy as np
import pytest
import torch

from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.compare import config_differences, layer_cka, side_by_side
from model.decode.translate import Translation, translate
from model.edit import change_edits, edits, notation
from model.presets import PRESETS, with_vocabulary
from model.tokenization.tokenizer import BOS, EOS
from tests.samples import BUCH, KINO, SAMPLES, german_english, tiny_checkpoint, tiny_tokenizer

OFF = notation.Change("off", ("cross", "*", "*"))


def untrained(seed: int = 0) -> Checkpoint:
    own = german_english()
    return side_by_side.with_seed(own.model.config, own.tokenizer, seed, "other")


def run(checkpoint: Checkpoint, sentence: str = KINO) -> Translation:
    return translate(checkpoint, sentence)


# CKA


def centred_gram(x: np.ndarray) -> np.ndarray:
    n = len(x)
    h = np.eye(n) - np.ones((n, n)) / n
    return h @ (x @ x.T) @ h


def hsic(x: np.ndarray, y: np.ndarray) -> float:
    return float((centred_gram(x) * centred_gram(y)).sum())


def by_grams(x: np.ndarray, y: np.ndarray) -> float:
    """HSIC of both over the root of each with itself: the definition, over tokens instead of dimensions."""
    return hsic(x, y) / math.sqrt(hsic(x, x) * hsic(y, y))


@pytest.mark.parametrize(("d", "other"), [(3, 3), (5, 2), (40, 7)])
def test_cka_is_that_of_centred_gram_matrices(d: int, other: int) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(3, 2, (17, d)), random.normal(-1, 1, (17, other))
    y[:, 0] += x[:, 0]
    assert layer_cka.cka(x, y) == pytest.approx(by_grams(x, y), rel=1e-6)


def test_cka_sees_neither_a_turn_nor_a_size_nor_a_shift_but_more() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(30, 6))
    turn, _ = np.linalg.qr(random.normal(size=(6, 6)))
    assert layer_cka.cka(x, 7 * x @ turn + 3) == pytest.approx(1, abs=1e-6)
    stretched = layer_cka.cka(x, x * np.array([1, 1, 1, 1, 1, 20]))
    assert stretched < 0.9
    assert math.isnan(layer_cka.cka(x, np.ones((30, 2))))


def test_the_table_and_its_chance_are_of_the_streams() -> None:
    one, other = german_english(), untrained()
    read = layer_cka.reads(one, other, [KINO, BUCH, KINO, "a" * 2000])
    assert [r.sentence for r in read] == [KINO, BUCH]
    assert [r.source for r in read] == [tuple(one.tokenizer.encode(s)) for s in (KINO, BUCH)]
    assert [r.target for r in read] == [run(one, s).target for s in (KINO, BUCH)]
    results = [layer_cka.streams(c, layer_cka.SIDES, read) for c in (one, other)]
    for side, ids in (("encoder", "source"), ("decoder", "target")):
        for place, name in (("input", f"{side}.input"), ("2", f"{side}.2.feed_forward.residual")):
            rows = []
            for sentence in (KINO, BUCH):
                own = run(one, sentence)
                words = [i for i, id_ in enumerate(getattr(own, ids)) if id_ not in (BOS, EOS)]
                rows.append(own.trace.values[name][words])
            together = np.concatenate(rows)
            streamed = results[0][side][place]  # those of one length come together, so the order may be another
            assert len(streamed) == len(together)
            assert layer_cka.cka(np.sort(streamed, 0), np.sort(together, 0)) == pytest.approx(1, abs=1e-6)
            np.testing.assert_allclose(np.sort(streamed, 0), np.sort(together, 0), atol=2e-4)
        table = layer_cka.table(results[0][side], results[1][side])
        assert table.shape == (4, 4)
        assert table[1, 3] == pytest.approx(by_grams(results[0][side]["0"], results[1][side]["2"]), rel=1e-6)
        shuffled = np.random.default_rng(0).permutation(len(results[0][side]["input"]))
        by_chance = [by_grams(x, y[shuffled]) for x in results[0][side].values() for y in results[1][side].values()]
        assert layer_cka.chance(results[0][side], results[1][side]) == pytest.approx(max(by_chance), rel=1e-6)


def test_a_model_is_like_itself_on_the_diagonal() -> None:
    one = german_english()
    read = layer_cka.reads(one, one, [KINO, BUCH])
    for each in layer_cka.streams(one, layer_cka.SIDES, read).values():
        table = layer_cka.table(each, each)
        np.testing.assert_allclose(np.diag(table), 1, atol=1e-6)
        np.testing.assert_allclose(table, table.T, atol=1e-6)


def test_streams_under_a_change() -> None:
    one = german_english()
    read = layer_cka.reads(one, one, [KINO])
    edit = edits.zero("encoder.1.self_attention.head_outputs", head=None)
    plain, new = (layer_cka.streams(one, ("encoder",), read, e)["encoder"] for e in ((), (edit,)))
    np.testing.assert_array_equal(plain["0"], new["0"])
    assert np.abs(plain["1"] - new["1"]).max() > 0.1


@pytest.mark.parametrize(
    ("one", "other", "sides"),
    [
        ("paper", "pre-norm", ("encoder", "decoder")),
        ("gpt", "gpt", ("decoder",)),
        ("bert", "paper", ("encoder",)),
        ("gpt", "paper", ()),
        ("bert", "gpt", ()),
    ],
)
def test_which_sides_read_the_same(one: str, other: str, sides: tuple[str, ...]) -> None:
    configs = [with_vocabulary(PRESETS[name].config, 140) for name in (one, other)]
    assert layer_cka.common(*configs) == sides
    small = [dataclasses.replace(c, d_model=16, d_ff=16, heads=2, max_length=40) for c in configs]
    both = [side_by_side.with_seed(c, tiny_tokenizer(), 0, "tiny") for c in small]
    read = layer_cka.reads(*both, ["das Haus ist alt", "ja!"])
    result = layer_cka.streams(both[0], sides, read)
    assert tuple(result) == sides
    assert bool(read) == bool(sides)
    for places in result.values():
        assert {len(values) for values in places.values()} == {len(places["input"])}


# heads


def jensen_shannon(p: np.ndarray, q: np.ndarray) -> float:
    """½ KL(p ‖ m) + ½ KL(q ‖ m) with m the mean, base 2."""
    m = (p + q) / 2
    return sum(0.5 * (r[r > 0] * np.log2(r[r > 0] / m[r > 0])).sum() for r in (p, q))


def test_likeness_of_heads_is_one_minus_the_mean_divergence() -> None:
    random = np.random.default_rng(2)
    one, other = (random.dirichlet(np.full(5, 0.3), (count, 4)) for count in (3, 2))
    result = side_by_side.alike(one, other)
    for i, head in enumerate(one):
        for j, second in enumerate(other):
            divergence = np.mean([jensen_shannon(p, q) for p, q in zip(head, second, strict=True)])
            assert result[i, j] == pytest.approx(1 - divergence, abs=1e-9)


def test_each_head_finds_its_double_wherever_it_stands() -> None:
    weights = run(german_english()).trace.weights("cross")
    flat = side_by_side.flat(weights)
    order = np.random.default_rng(3).permutation(len(flat))
    result = side_by_side.alike(flat, flat[order])
    np.testing.assert_array_equal(order[result.argmax(axis=1)], np.arange(len(flat)))
    np.testing.assert_allclose(result.max(axis=1), 1, atol=1e-9)
    np.testing.assert_array_equal(flat[5], weights[1, 1])


def test_heads_that_look_elsewhere_are_not_alike() -> None:
    one, other = np.zeros((1, 3, 4)), np.zeros((1, 3, 4))
    one[..., 0] = other[..., 3] = 1
    assert side_by_side.alike(one, other) == pytest.approx(0)


# words


def test_log_probabilities_are_those_of_the_logits() -> None:
    one, other = german_english(), untrained()
    ids = side_by_side.generated(one, run(one)).ids
    assert one.tokenizer.decode(ids) == run(one).text
    assert ids[-1] == EOS
    for checkpoint in (one, other):
        pass_ = side_by_side.passed(checkpoint, run(checkpoint), ids)
        source = torch.tensor([run(one).source])
        with torch.inference_mode():
            logits = checkpoint.model(source, torch.tensor([[BOS, *ids[:-1]]]), source != 0)[0].double()
        expected = logits.log_softmax(-1)[torch.arange(len(ids)), torch.tensor(ids)]
        np.testing.assert_allclose(side_by_side.scored(pass_, ids), expected, atol=1e-5)
        assert pass_.output_tokens == one.tokenizer.tokens(ids)


def test_a_pass_over_its_own_words_is_the_run() -> None:
    one = german_english()
    own = run(one)
    pass_ = side_by_side.passed(one, own, side_by_side.generated(one, own).ids)
    assert pass_.values.keys() == own.trace.values.keys()
    for name, value in pass_.values.items():
        np.testing.assert_array_equal(value, own.trace.values[name], err_msg=name)


def test_changes_are_made_in_what_is_written_and_in_the_pass() -> None:
    one, own = german_english(), run(german_english())
    plain = side_by_side.generated(one, own)
    edits = change_edits.edits_of(one, own, OFF)
    output = side_by_side.generated(one, own, edits)
    assert output.ids != plain.ids
    pass_ = side_by_side.passed(one, own, plain.ids, edits)
    assert np.abs(pass_.values["decoder.1.cross_attention.head_outputs"]).max() == 0
    assert side_by_side.scored(pass_, plain.ids).sum() < side_by_side.scored(own.trace, plain.ids).sum() - 1


def test_padding_behind_the_sentence_is_masked() -> None:
    one, own = german_english(), run(german_english())
    ids = side_by_side.generated(one, own).ids
    padded = side_by_side.passed(one, own, ids, (), 3)
    assert padded.source_tokens[-3:] == ("<pad>",) * 3
    assert padded.weights("cross")[..., -3:].max() == 0
    np.testing.assert_allclose(side_by_side.scored(padded, ids), side_by_side.scored(own.trace, ids), atol=1e-4)


@pytest.mark.parametrize("preset", ["gpt", "bert", "mini-encoder"])
def test_a_side_alone(preset: str) -> None:
    config = with_vocabulary(PRESETS[preset].config, 140)
    one = side_by_side.with_seed(config, tiny_tokenizer(), 0, preset)
    own = run(one, "das Haus ist alt")
    result = side_by_side.generated(one, own)
    pass_ = side_by_side.passed(one, own, result.ids)
    if preset == "gpt":
        prompt = one.tokenizer.encode("das Haus ist alt")[:-1]
        assert [BOS, *result.ids[: result.first]] == prompt
        assert one.tokenizer.decode(result.ids) == own.text
    elif preset == "bert":
        assert result.ids == tuple(own.trace.values["logits"].argmax(-1))
    else:
        assert result.ids == ()
    assert pass_.kinds == own.trace.kinds


def test_an_encoder_alone_under_a_change_shows_the_same_kind_of_text() -> None:
    one = checkpoints.load(Entry(SAMPLES / "mini-encoder"))
    own = run(one, "she _ eating soup today .")
    plain = side_by_side.generated(one, own)
    assert plain.text.split()[2:] == ["eating", "soup", "today", "."]
    nothing = [edits.scale("encoder.0.self_attention.head_outputs", 1.0, head=None)]
    assert side_by_side.generated(one, own, nothing) == plain
    assert side_by_side.generated(one, own, nothing, 3) == plain  # what stands behind is padding, not its words


# moments


def test_a_moment_has_its_weights(tmp_path) -> None:
    checkpoint = tiny_checkpoint(tmp_path / "kept", seed=4)
    weights = {name: value.numpy().astype(np.float16) for name, value in checkpoint.model.named_parameters()}
    again = side_by_side.with_weights(checkpoint.model.config, checkpoint.tokenizer, weights, "again")
    assert translate(again, "das Haus ist alt").target == translate(checkpoint, "das Haus ist alt").target
    for name, value in again.model.named_parameters():
        np.testing.assert_array_equal(value.numpy(), dict(checkpoint.model.named_parameters())[name].numpy())
    assert not any(value.requires_grad for value in again.model.parameters())


def test_before_training_are_the_weights_that_a_run_begins_with() -> None:
    from model.train.run_settings import RunSettings
    from model.train.training_run import Run

    run_ = Run(RunSettings(task="reverse", steps=20, warmup=5, seed=7))
    start = side_by_side.with_seed(run_.config, run_.prepared.tokenizer, 7, "begun")
    for name, value in run_.trainer.model.named_parameters():
        assert torch.equal(value.detach(), dict(start.model.named_parameters())[name]), name


def test_vocabularies() -> None:
    assert side_by_side.same_vocabulary(german_english().tokenizer, german_english().tokenizer)
    assert side_by_side.same_vocabulary(tiny_tokenizer(), tiny_tokenizer())
    assert not side_by_side.same_vocabulary(tiny_tokenizer(140), tiny_tokenizer(130))


@pytest.mark.parametrize(
    ("spelled", "free"),
    [
        ("off:cross.*.*", True), ("uniform:encoder.0.1", True), ("unmask:causal", True),
        ("position:encoder.none", True),
        ("position:encoder.shift2", True), ("position:encoder.shuffle2", False), ("unmask:4", False),
        ("word:1=Haus", False), ("row:cross.0.0.1=1", False), ("embedding:encoder.unscale", True),
    ],
)  # fmt: skip
def test_which_changes_mean_the_same_for_every_sentence(spelled: str, free: bool) -> None:
    [change], bad = notation.read(spelled)
    assert not bad
    assert side_by_side.anywhere(change) is free


# configs


def test_lines_that_differ_come_first_and_none_is_missing() -> None:
    one, other = (Entry(SAMPLES / name).config for name in ("de-en", "reverse"))
    lines = config_differences.config_lines(one, other)
    values = {line.name: (line.first, line.second) for line in lines}
    one, other = asdict(one), asdict(other)
    assert values == {key: (one[key], other[key]) for key in one}
    marks = [line.differs for line in lines]
    assert marks == sorted(marks, reverse=True)
    assert {line.name for line in lines if line.differs} == {key for key in one if one[key] != other[key]}
