"""Features as parts of keys: the terms add up to the same scores, and each is what its direction makes of a key."""

import json

import numpy as np
import pytest
import torch

from model.__main__ import main
from model.attribution.score_terms.terms import score_row
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.features import key_parts, store
from tests.samples import SAMPLES


def test_features_add_up_to_the_same_scores() -> None:
    entry = Entry(SAMPLES / "es-en")
    checkpoint, dictionary = load(entry), store.load(entry, key_parts.SITE).dictionary
    trace = translate(checkpoint, "Hoy vamos al cine.").trace
    place, key = ("cross", 1, 2), 3
    row = score_row(checkpoint.model, trace.values, *place, 1)
    found = key_parts.in_features(checkpoint.model, trace, place, row, key, dictionary, 3)
    numbers = [key_parts.number(each) for each in found.keys]
    assert [each for each in numbers if each is not None] == numbers[:3]
    assert [each.name for each in found.keys[3:]] == ["other_features", "feature_error", "features_bias", "key_bias"]
    np.testing.assert_allclose(found.total, row.total, atol=1e-5 * np.abs(row.total).max())
    np.testing.assert_allclose(found.table(key, centred=True).sum(), row.table(key, centred=True).sum(), atol=1e-5)
    features, strengths = dictionary.sparse(torch.from_numpy(trace.values[key_parts.SITE][key]))
    assert set(numbers[:3]) <= set(features.tolist())
    attention = checkpoint.model.decoder[1].cross_attention
    first = numbers[0]
    strength = dict(zip(features.tolist(), strengths.tolist(), strict=True))[first]
    by_hand = strength * attention.k.weight[2 * 36 : 3 * 36] @ dictionary.decoder[:, first]
    np.testing.assert_allclose(found.k[0, key], by_hand.detach().numpy(), atol=1e-5)
    sizes = np.abs(found.table(key, centred=True).sum(axis=0)[:3])
    assert sizes.tolist() == pytest.approx(sorted(sizes, reverse=True))


def test_the_command_has_features_as_parts_of_the_key(capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--head", "cross.1.2", "--query", "1", "--key", "3", "--features", "--most", "100"]
    assert main(["why-there", "es-en", "Hoy vamos al cine.", *place]) == 0
    told = json.loads(capsys.readouterr().out)
    keys = {term["key"] for term in told["terms"]}
    assert len([key for key in keys if key.startswith(f"encoder.{key_parts.FEATURE}.")]) == key_parts.MOST
    assert sum(term["raw"] for term in told["terms"]) == pytest.approx(told["score"]["raw"] - told["others"]["raw"])
    run = translate(load(Entry(SAMPLES / "es-en")), "Hoy vamos al cine.")
    assert told["score"]["raw"] == pytest.approx(
        run.trace.values["decoder.1.cross_attention.scores"][2, 1, 3], abs=1e-4
    )


@pytest.mark.parametrize(
    ("name", "head", "says"),
    [
        ("es-en", "encoder.0.0", "The keys of encoder.0.0 in 'es-en' cannot be features of an encoder"),
        ("reverse", "cross.0.0", "Checkpoint 'reverse' has no dictionary of encoder.output"),
    ],
)
def test_without_such_keys_the_command_says_so(
    name: str, head: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["why-there", name, "hola", "--head", head, "--query", "0", "--key", "1", "--features"]) == 2
    assert says in capsys.readouterr().err
