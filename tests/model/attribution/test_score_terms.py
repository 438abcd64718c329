"""The terms of a score add up to it in every kind of model, and the model does what is predicted without one."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from model import presets
from model.__main__ import main
from model.attribution.score_terms import told
from model.attribution.score_terms.replacement import agreement, means, replaceable, replaced
from model.attribution.score_terms.terms import ScoreRow, groups, score_row
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load, load_model, untrained
from model.decode.recorded_pass import recorded
from model.decode.translate import translate
from model.edit.edit_effects import edited_values
from model.edit.edited_pass import Edit
from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.folder import Folder
from model.trace import Trace, path
from model.transformer import Transformer
from tests.model.attribution.test_logit_parts import CASES, made
from tests.model.pretrained import small
from tests.samples import BUCH, KINO, SAMPLES, german_english

MORE = {
    "rotary, grouped, normed queries and keys": {
        "architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "position": "rotary", "norm": "pre",
        "norm_kind": "rms", "query_key_norm": True, "key_value_heads": 2, "final_norm": True, "unrotated": (1,),
    },
    "alibi": {"position": "alibi"},
    "narrow, shared layers, segments": {
        "architecture": "encoder", "decoder_layers": 0, "embedding_size": 8, "embedding_norm": True,
        "shared_layers": True, "position": "learned", "segments": 2,
        "output_transform": True,
    },
    "filled with -1e9": {"norm": "pre", "mask_fill": "-1e9"},
}  # fmt: skip
OF_PRESETS = [name for name, preset in presets.PRESETS.items() if preset.config.inputs == "tokens"]
SHIPPED = [folder.name for folder in sorted(SAMPLES.iterdir()) if (folder / "card.json").exists()]


def rows(model: Transformer, run: Trace) -> list[tuple[str, int, int, ScoreRow]]:
    """A row of one head of every attention: its name, head and query, each time others."""
    result = []
    for kind in run.kinds:
        for layer in range(len(run.weights(kind))):
            _, heads, queries, _ = run.weights(kind).shape
            head, query = (layer + 1) % heads, (3 * layer + 2) % queries
            result.append((path(kind, layer), head, query, score_row(model, run.values, kind, layer, head, query)))
    return result


def check_sums(model: Transformer, run: Trace) -> None:
    """What a pass recorded is the sum of the terms, for every key, and the share of each side adds up."""
    for name, head, query, row in rows(model, run):
        scores = run.values[f"{name}.scores"][head].astype(np.float64)
        if f"{name}.position_bias" in run.values:
            scores = scores + run.values[f"{name}.position_bias"][head]
        size = np.abs(scores).max()
        np.testing.assert_allclose(row.total, scores[query], rtol=0, atol=1e-5 * size, err_msg=f"{name} {head}")
        key = int(np.flatnonzero(row.allowed)[-1])
        centre = row.total[row.allowed].mean()
        for centred, score in ((False, row.total[key]), (True, row.total[key] - centre)):
            assert row.score(key, centred=centred) == pytest.approx(score, abs=1e-9 * size)
            assert sum(row.sides(key, centred=centred).values()) == pytest.approx(score, abs=1e-9 * size)


def passed(checkpoint: Checkpoint, sentence: str) -> Trace:
    """A pass over a sentence; the decoder reads the same ids."""
    config, ids = checkpoint.model.config, checkpoint.tokenizer.encode(sentence)[:40]
    sides = (ids if config.layers(side) else [] for side in ("encoder", "decoder"))
    return Trace(recorded(checkpoint.model, *sides), (), (), ())


@pytest.mark.parametrize("name", [*CASES, *MORE])
def test_terms_add_up_in_each_kind_of_model(name: str) -> None:
    checkpoint = made((CASES | MORE)[name])
    check_sums(checkpoint.model, passed(checkpoint, KINO))


@pytest.mark.parametrize("name", OF_PRESETS)
def test_terms_add_up_in_presets(name: str) -> None:
    checkpoint = untrained(presets.find(name), 0, german_english().tokenizer)
    check_sums(checkpoint.model, passed(checkpoint, KINO))


@pytest.mark.parametrize("name", SHIPPED)
def test_terms_add_up_in_shipped_models(name: str) -> None:
    entry = Entry(SAMPLES / name)
    if entry.config.inputs == "numbers":
        model = load_model(entry)
        check_sums(model, Trace(recorded(model, np.linspace(-1, 1, 12).tolist(), ()), (), (), ()))
        return
    checkpoint = load(entry)
    check_sums(checkpoint.model, translate(checkpoint, entry.card["examples"][0]).trace)


@pytest.mark.parametrize("name", small.FAMILIES)
def test_terms_add_up_in_imported_families(name: str, tmp_path: Path) -> None:
    small.build(name, tmp_path / name)
    checkpoint = importing.convert(Folder(tmp_path / name)).checkpoint
    check_sums(checkpoint.model, passed(checkpoint, "The dog sleeps on the sofa."))


@pytest.mark.parametrize("name", ["post", "rms, gated, grouped", "alibi", "filled with -1e9"])
def test_without_a_term_the_model_gives_the_weights_that_are_predicted(name: str) -> None:
    """The term is taken out of the scores of a real pass, the future stays hidden."""
    checkpoint = made((CASES | MORE)[name])
    run = translate(checkpoint, KINO)
    query = len(run.target) - 2
    row = score_row(checkpoint.model, run.trace.values, "decoder", 1, 2, query)
    parts = [at for at, place in enumerate(row.queries) if place.name == "self_attention"], [0]
    term = torch.from_numpy(row.term(*parts)).float()
    name = "decoder.1.self_attention"
    after = edited_values(checkpoint, run, [Edit(f"{name}.scores", lambda value, at: value - term, head=2, row=query)])
    predicted = row.without(*parts)
    np.testing.assert_allclose(predicted, after[f"{name}.weights"][2, query], atol=1e-5)
    assert np.abs(predicted - row.weights).max() > 1e-3
    assert (predicted[query + 1 :] == 0).all()


def test_the_first_terms_are_products_of_what_the_weights_make_of_embedding_and_position() -> None:
    """Against torch's own modules: a layer without norms reads the sum, so each summand can be put in by itself."""
    checkpoint = made({"norm": "none"})
    values = translate(checkpoint, KINO).trace.values
    row = score_row(checkpoint.model, values, "encoder", 0, 1, 2)
    attention = checkpoint.model.encoder[0].self_attention
    assert [place.name for place in row.queries] == ["embedding", "position", "query_bias"]
    assert [place.name for place in row.keys] == ["embedding", "position", "key_bias"]
    zeros = torch.zeros(16)
    given = [torch.from_numpy(values[f"encoder.{name}"]) for name in ("embedding", "position")]
    q = [attention.q(each[2]) - attention.q(zeros) for each in given] + [attention.q(zeros)]
    k = [attention.k(each) - attention.k(zeros) for each in given] + [attention.k(zeros).expand(len(given[0]), -1)]
    for p, of_query in enumerate(q):
        for r, of_keys in enumerate(k):
            expected = of_keys[:, 4:8] @ of_query[4:8] / 2  # the second of four heads, √4
            np.testing.assert_allclose(row.term([p], [r]), expected.numpy(), atol=1e-5)


def test_every_part_is_in_one_group_and_biases_come_last() -> None:
    checkpoint = made(CASES["post"])
    row = score_row(checkpoint.model, translate(checkpoint, KINO).trace.values, "cross", 1, 0, 1)
    found = groups(row.queries)
    assert list(found) == ["embedding", "position", "0", "1", "biases"]
    assert sorted(at for parts in found.values() for at in parts) == list(range(len(row.queries)))
    assert list(groups(row.keys)) == ["embedding", "position", "0", "1", "biases"]
    assert {place.side for place in row.queries} == {"decoder"}
    assert {place.side for place in row.keys} == {"encoder"}


def test_without_norms_and_layers_between_a_replaced_part_does_what_is_predicted() -> None:
    checkpoint = made({"norm": "none"})
    run, other = (translate(checkpoint, sentence) for sentence in ("Wir gehen morgen ins Kino.", BUCH))
    head, query, key = ("encoder", 0, 3), 1, 3
    row = score_row(checkpoint.model, run.trace.values, *head, query)
    tested = replaceable(row, key, 2)
    assert {place.name for place, _ in tested} == {"embedding", "position"}
    for place, is_query in tested:
        mean = means([run.trace, other.trace], place.value)
        both = [each.trace.values[place.value] for each in (run, other)]
        np.testing.assert_allclose(mean[0], np.concatenate(both).mean(axis=0), atol=1e-6)
        result = replaced(checkpoint.model, run, head, row, query, place, query if is_query else key, mean)
        np.testing.assert_allclose(result.predicted, result.measured, atol=1e-5)
        assert np.abs(result.measured - result.actual).max() > 1e-3


def test_predictions_agree_with_runs_where_nothing_stands_between() -> None:
    """One layer without norms: whatever part is replaced, the run does what is predicted."""
    checkpoint = made({"norm": "none", "architecture": "encoder", "decoder_layers": 0, "encoder_layers": 1})
    runs = [translate(checkpoint, sentence) for sentence in (KINO, BUCH)]
    found = agreement(checkpoint.model, runs, 30, 0)
    assert found.keys() == {"all", "embedding", "position"}
    assert found["all"][0] == 30
    assert found["all"][1] > 0.999


def test_norms_and_later_parts_answer_a_real_replacement() -> None:
    """In `de-en` the prediction holds the norms, the run does not: near, and not the same."""
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    head = ("encoder", 1, 0)
    row = score_row(checkpoint.model, run.trace.values, *head, 2)
    key = int(row.weights.argmax())
    for place, is_query in replaceable(row, key, 2):
        mean = means([run.trace], place.value)
        result = replaced(checkpoint.model, run, head, row, 2, place, 2 if is_query else key, mean)
        assert result.measured.sum() == pytest.approx(1, abs=1e-5)
        assert result.predicted.sum() == pytest.approx(1, abs=1e-5)
        assert np.abs(result.measured - result.predicted).max() > 1e-6


def test_what_is_told_adds_up() -> None:
    result = told.about(german_english(), KINO, "cross.1.2", 1, 2, most=5)
    assert len(result["terms"]) == 5
    for name in ("raw", "centred"):
        whole = sum(term[name] for term in result["terms"]) + result["others"][name]
        assert whole == pytest.approx(result["score"][name], abs=1e-6)
    assert sum(result["sides"].values()) == pytest.approx(result["score"]["centred"], abs=1e-6)
    sizes = [abs(term["centred"]) for term in result["terms"]]
    assert sizes == sorted(sizes, reverse=True)
    assert min(term["weight_without"] for term in result["terms"]) >= 0
    row = score_row(german_english().model, translate(german_english(), KINO).trace.values, "cross", 1, 2, 1)
    largest = result["groups"]["terms"][0]
    p, r = groups(row.queries)[largest["query"]], groups(row.keys)[largest["key"]]
    assert largest["centred"] == pytest.approx(row.table(2, centred=True)[np.ix_(p, r)].sum())
    assert largest["weight_without"] == pytest.approx(row.without(p, r)[2])
    assert len(result["groups"]["terms"]) + result["groups"]["others"]["count"] == len(groups(row.queries)) * len(
        groups(row.keys)
    )


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (("cross.9.0", 0, 0), "There is no head 'cross.9.0'"),
        (("cross.0.0", 99, 0), "There is no token 99 for --query"),
        (("cross.0.0", 0, -1), "There is no token -1 for --key"),
        (("decoder.0.0", 0, 1), "The mask hides key 1 from query 0"),
    ],
)
def test_a_place_that_is_not_there_is_refused(place: tuple[str, int, int], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        told.about(german_english(), KINO, *place, most=5)


def test_the_command_prints_what_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why-there", "de-en", KINO, "--head", "cross.1.2", "--query", "1", "--key", "2", "--most", "3"]) == 0
    assert json.loads(capsys.readouterr().out) == told.about(german_english(), KINO, "cross.1.2", 1, 2, most=3)
    assert main(["why-there", "de-en", KINO, "--head", "cross.1.2", "--query", "99", "--key", "2"]) == 2
    assert "There is no token 99 for --query" in capsys.readouterr().err
