"""The roles of heads: scores by hand, on models whose heads are known, and only where the measurement supports them."""

from collections.abc import Sequence

import numpy as np
import pytest

from model.checkpoint.catalogue import Entry, untrained
from model.checkpoint.checkpoints import Checkpoint, load
from model.circuits import ablation, head_roles
from model.circuits.role_thresholds import LEAST
from model.decode.translate import Translation, translate
from model.edit import edited_pass, edits
from model.edit.edit_effects import edited_values, first_step, generated, head_effects
from model.intervals import Estimate, normal
from model.measurements.ablations import MEASUREMENT, measure
from model.tokenization.tokenizer import UNK
from tests.model.attribution.copier import A, B, C, copier, passed
from tests.samples import KINO, SAMPLES, german_english

MODELS = ("de-en", "gpt-char", "mini-encoder", "llm-grouped", "induction", "untrained-t5", "untrained-bert")


def loaded(name: str) -> tuple[Checkpoint, list[str]]:
    if name.startswith("untrained"):
        return load(untrained(0)[name]), [KINO, "Wo ist das Buch?"]
    return load(Entry(SAMPLES / name)), Entry(SAMPLES / name).card["examples"][:3]


def scored(checkpoint: Checkpoint, runs: Sequence[Translation]) -> head_roles.Measured:
    """All roles of all heads, as the page gathers them."""
    texts = [head_roles.of_repeated_text(checkpoint, seed) for seed in range(head_roles.ROUNDS)]
    return head_roles.summed([*(head_roles.of_sentence(checkpoint, run) for run in runs), *texts])


@pytest.mark.parametrize("name", MODELS)
def test_every_score_lies_between_0_and_1_and_has_its_interval(name: str) -> None:
    checkpoint, sentences = loaded(name)
    runs = [translate(checkpoint, sentence) for sentence in sentences]
    result = scored(checkpoint, runs)
    assert set(result) == set(runs[0].trace.kinds)
    for kind, roles in result.items():
        assert {"first", "separator", "position"} <= set(roles)
        assert ("alignment" in roles) == (kind == "cross" and checkpoint.trained)
        assert ("induction" in roles) == (kind != "cross")
        for role, scores in roles.items():
            assert scores.mean.shape == runs[0].trace.weights(kind).shape[:2]
            assert ((scores.mean > -1e-6) & (scores.mean < 1 + 1e-6)).all(), role
            assert (scores.low <= scores.mean).all()
            assert not (scores.stated(role) & (scores.mean < LEAST[role])).any()


def test_even_weights_score_what_chance_does_and_have_no_role() -> None:
    """The one head of the copier looks at all tokens alike."""
    checkpoint = copier()
    result = head_roles.of_sentence(checkpoint, passed(checkpoint, B, C, A, B))
    for role in ("previous", "first", "same", "separator"):
        score, chance = result["decoder", role]
        assert score == pytest.approx(chance), role
    assert result["decoder", "position"][0] == pytest.approx(1)  # words make no difference,
    summed = head_roles.summed([result, result])["decoder"]
    assert not any(scores.stated(role).any() for role, scores in summed.items())  # nor does position


def test_the_shares_by_hand() -> None:
    """<bos> b c b: rows 2 and 3 have a choice. Row 2: 1/3 each; row 3: 1/4 each, of which two are equal to it."""
    checkpoint = copier()
    result = head_roles.of_sentence(checkpoint, passed(checkpoint, B, C, B))
    assert result["decoder", "previous"][0] == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert result["decoder", "first"][0] == pytest.approx((1 / 3 + 1 / 4) / 2)
    assert result["decoder", "same"][0] == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert result["decoder", "separator"][0] == pytest.approx(0)


def test_the_known_heads_are_named() -> None:
    checkpoint, sentences = loaded("induction")
    roles = scored(checkpoint, [translate(checkpoint, sentence) for sentence in sentences])["decoder"]
    assert roles["induction"].stated("induction").tolist() == [[False], [True]]
    assert not roles["separator"].stated("separator").any()
    copying = load(Entry(SAMPLES / "copy-8"))
    words = [text for topic in Entry(SAMPLES / "copy-8").card["covers"] for text in topic["examples"]][:12]
    cross = scored(copying, [translate(copying, word) for word in words])["cross"]
    assert cross["alignment"].stated("alignment").any()


def test_a_deletion_is_a_run_of_its_own() -> None:
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    falls = head_roles.deletion_falls(checkpoint, run)
    shorter = edited_shorter(checkpoint, run, 5)  # Kino
    ids = generated(run)
    before = np.log(np.exp(run.trace.values["logits"]) / np.exp(run.trace.values["logits"]).sum(-1, keepdims=True))
    for row in (0, 4):
        assert falls[5, row] == pytest.approx(before[row, ids[row]] - shorter[row, ids[row]], abs=1e-4)
    assert falls[:, 4].argmax() == 5


def edited_shorter(checkpoint: Checkpoint, run, lost: int) -> np.ndarray:
    """Log-probabilities (T, V) without one source token, the output as it was."""
    import torch

    source = torch.tensor([[id_ for at, id_ in enumerate(run.source) if at != lost]])
    logits = checkpoint.model(source, torch.tensor([run.target]), source != UNK - UNK)
    return logits[0].log_softmax(-1).numpy()


# removing parts


@pytest.mark.parametrize("name", ["de-en", "gpt-char"])
def test_zero_is_switching_off_and_the_mean_is_over_the_tokens_written(name: str) -> None:
    checkpoint, sentences = loaded(name)
    runs = [translate(checkpoint, sentence) for sentence in sentences[:2]]
    singles = ablation.singles(checkpoint.model.config)
    result = dict(zip(singles, ablation.of_sentence(checkpoint, runs, 0, "zero", singles), strict=True))
    kind = runs[0].trace.kinds[-1]
    first = first_step(checkpoint, runs[0])
    expected = head_effects(checkpoint, runs[0], kind, 1)[:, first:].mean(axis=1)
    got = [result[ablation.Part(kind, 1, head),] for head in range(checkpoint.model.config.heads)]
    assert got == pytest.approx(expected, abs=1e-4)


def test_a_feed_forward_and_the_other_ways_against_edits() -> None:
    checkpoint = german_english()
    runs = [translate(checkpoint, sentence) for sentence in (KINO, "Wo ist das Buch?")]
    ids = generated(runs[0])

    def effect(values: dict[str, np.ndarray]) -> float:
        log_probabilities = [logits - np.log(np.exp(logits).sum(-1, keepdims=True)) for logits in
                  (values["logits"].astype(float), runs[0].trace.values["logits"].astype(float))]  # fmt: skip
        rows = np.arange(len(ids))
        return float((log_probabilities[0][rows, ids] - log_probabilities[1][rows, ids]).mean())

    def replaced(name: str, head: int | None, new: np.ndarray) -> float:
        def change(value, at):
            import torch

            return torch.tensor(np.ascontiguousarray(new))[None].expand_as(value)

        edit = edited_pass.Edit(name, change, head=head)
        return effect(edited_values(checkpoint, runs[0], [edit]))

    part = ablation.Part("decoder", 1)
    removal = effect(edited_values(checkpoint, runs[0], [edits.zero(part.value)]))
    assert ablation.of_sentence(checkpoint, runs, 0, "zero", [(part,)])[0] == pytest.approx(removal, abs=1e-4)

    head = ablation.Part("cross", 2, 1)
    every = np.concatenate([run.trace.values[head.value] for run in runs], axis=1)  # (H, T + T', D)
    mean = np.broadcast_to(every.mean(axis=1, keepdims=True), runs[0].trace.values[head.value].shape)
    assert ablation.of_sentence(checkpoint, runs, 0, "mean", [(head,)])[0] == pytest.approx(
        replaced(head.value, 1, mean), abs=1e-4
    )
    rows = np.arange(len(ids)) % len(runs[1].target)
    donor = runs[1].trace.values[head.value][:, rows]
    assert ablation.of_sentence(checkpoint, runs, 0, "resample", [(head,)])[0] == pytest.approx(
        replaced(head.value, 1, donor), abs=1e-4
    )


def test_a_pair_is_both_switched_off() -> None:
    checkpoint = german_english()
    runs = [translate(checkpoint, KINO)]
    both = (ablation.Part("cross", 1, 0), ablation.Part("decoder", 2, 3))
    changes = [edits.zero(part.value, head=part.head) for part in both]
    values = edited_values(checkpoint, runs[0], changes)["logits"].astype(float)
    before, ids = runs[0].trace.values["logits"].astype(float), generated(runs[0])
    log_probabilities = [logits - np.log(np.exp(logits).sum(-1, keepdims=True)) for logits in (values, before)]
    expected = (log_probabilities[0] - log_probabilities[1])[np.arange(len(ids)), ids].mean()
    assert ablation.of_sentence(checkpoint, runs, 0, "zero", [both])[0] == pytest.approx(expected, abs=1e-4)
    assert ablation.name_of(both) == "cross.1.0+decoder.2.3"


def test_pairs_are_of_the_heads_that_are_needed_most() -> None:
    effects = {(ablation.Part("cross", 0, head),): Estimate(-float(head), 0, 0) for head in range(4)}
    effects[ablation.Part("decoder", 0),] = Estimate(-9, 0, 0)  # no head
    result = ablation.pairs(effects, 3)
    assert [[part.head for part in pair] for pair in result] == [[1, 2], [1, 3], [2, 3]]


def test_the_interval_by_hand() -> None:
    result = normal([1.0, 2.0, 3.0])
    assert (result.mean, result.high - result.mean) == pytest.approx((2.0, 1.96 / np.sqrt(3)))
    assert result.is_certain
    assert not normal([-1.0, 1.0]).is_certain
    assert normal([0.5]) == Estimate(0.5, 0.5, 0.5)


def test_what_is_recorded_is_what_is_measured(tmp_path) -> None:
    import json
    import shutil

    shutil.copytree(SAMPLES / "induction", tmp_path / "induction")
    entry = Entry(tmp_path / "induction")
    reports: list[int] = []
    results = measure(load(entry), [*entry.card["examples"][:2], ""], reports.append)
    MEASUREMENT.keep(entry, results)
    assert reports[-1] == 100
    assert results["sentences"] == 2
    assert json.loads((entry.folder / MEASUREMENT.file).read_text(encoding="utf-8")) == results
    assert results["zero"]["decoder.1.0"][0] < -1
    assert results["exchanged"] == 2
    assert results["patching"]["decoder.1.writing"] == [1, 1, 1]
