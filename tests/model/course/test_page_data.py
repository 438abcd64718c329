"""What a page without Python is told of the course: the same as the model says by other ways."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from model.checkpoint import catalogue, checkpoints, history
from model.course.page_data import course
from model.decode.translate import Translation, translate
from model.tokenization.token_text import is_special

NAMES = ("de-en", "zh-en", "es-en")


@cache
def _data(name: str) -> tuple[dict[str, Any], Translation, checkpoints.Checkpoint]:
    entry = catalogue.find(name)
    checkpoint = checkpoints.load(entry)
    sentence = entry.card["examples"][0]
    return course(checkpoint, entry, sentence), translate(checkpoint, sentence), checkpoint


def _figure(name: str, step: str) -> dict[str, Any]:
    return dict(_data(name)[0]["steps"][step]["figure"])


@pytest.mark.parametrize("name", NAMES)
def test_scores_give_the_recorded_weights(name: str) -> None:
    data, run, _ = _data(name)
    layer, head = data["head"]
    scores = torch.tensor(_figure(name, "lookup")["scores"])
    assert np.allclose(scores.softmax(-1).numpy(), run.trace.weights("cross")[layer, head], atol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_neighbours_are_those_of_torch(name: str) -> None:
    _, run, checkpoint = _data(name)
    table = checkpoint.model.target_embedding.weight.detach()
    for token, near in zip(run.trace.output_tokens, _figure(name, "vectors")["near"], strict=True):
        names = checkpoint.tokenizer.tokens(range(checkpoint.tokenizer.size))
        row = table[names.index(token)]
        cosines = torch.cosine_similarity(row, table, dim=-1).tolist()
        text = [id_ for id_, name in enumerate(names) if id_ != names.index(token) and not is_special(name)]
        nearest = sorted(text, key=lambda id_: -cosines[id_])[: len(near)]  # by id: some tokens look the same
        assert [other for other, _ in near] == [names[id_] for id_ in nearest]
        assert [cosine for _, cosine in near] == pytest.approx([cosines[id_] for id_ in nearest], abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_the_last_layer_says_what_is_written(name: str) -> None:
    _, run, _ = _data(name)
    figure = _figure(name, "layers")
    assert [top[0] for top in figure["top"][-1]] == list(run.trace.output_tokens)
    logits = torch.from_numpy(run.trace.values["logits"])
    assert np.allclose([shares[0] for shares in figure["shares"][-1]], logits.softmax(-1).amax(-1).numpy(), atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_outputs_of_both_orders_are_the_model_s(name: str) -> None:
    _, _, checkpoint = _data(name)
    figure = _figure(name, "position")

    def tap(value_name: str, value: torch.Tensor) -> torch.Tensor:
        return 0 * value if value_name == "encoder.position" else value

    assert figure["before"] == [translate(checkpoint, order).text for order in figure["orders"]]
    assert figure["after"] == [translate(checkpoint, order, tap=tap).text for order in figure["orders"]]


@pytest.mark.parametrize("name", NAMES)
def test_scores_before_the_mask_give_the_recorded_weights_with_it(name: str) -> None:
    _, run, _ = _data(name)
    figure = _figure(name, "mask")
    scores = torch.tensor(figure["scores"])
    masked = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf).softmax(-1)
    assert np.allclose(masked.numpy(), run.trace.weights("decoder")[0, figure["head"]], atol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_the_output_without_cross_attention_is_the_model_s(name: str) -> None:
    data, run, checkpoint = _data(name)

    def tap(value_name: str, value: torch.Tensor) -> torch.Tensor:
        return 0 * value if value_name.endswith("cross_attention.head_outputs") else value

    figure = _figure(name, "cross")
    assert figure["before"] == run.text
    assert figure["after"] == translate(checkpoint, data["sentence"], tap=tap).text
    read, written = len(run.source), len(run.ids)
    assert figure["shapes"]["decoder.0.cross_attention.weights"] == (4, written, read)


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_of_the_training_is_there(name: str) -> None:
    looks = [snapshot.probe for snapshot in history.load(catalogue.find(name))]
    moments = _figure(name, "learning")["moments"]
    assert [moment["output"] for moment in moments] == [look.output for look in looks]
    for moment, look in zip(moments, looks, strict=True):
        assert np.shape(moment["weights"]) == (len(look.output_tokens), len(look.source_tokens))
        assert np.allclose(np.sum(moment["weights"], axis=-1), 1, atol=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_one_right_option_among_others(name: str) -> None:
    for step in _data(name)[0]["steps"].values():
        question = step["question"]
        assert 3 <= len(set(question["options"])) == len(question["options"]) <= 4
        assert 0 <= question["right"] < len(question["options"])
