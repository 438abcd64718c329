"""Patching averages: single patches against the editor of /intervene, and what must hold of any Transformer."""

import numpy as np
import pytest
import torch

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.circuits import patching_effects
from model.circuits.patching_effects import Corruption, activations, carried, corrupted
from model.decode.translate import translate
from model.edit import activation_patching
from model.edit.change_edits import source_ids, source_side
from model.edit.edited_pass import Edit, compose
from tests.samples import SAMPLES

MODELS = ("de-en", "gpt-char", "mini-encoder", "induction", "llm-grouped", "copy-8-relative", "modular")


def exchanged(name: str) -> tuple[Checkpoint, Corruption]:
    entry = Entry(SAMPLES / name)
    checkpoint = load(entry)
    runs = [translate(checkpoint, text) for text in entry.card["examples"]]
    case = next(filter(None, (corrupted(checkpoint, runs, number) for number in range(len(runs)))))
    return checkpoint, case


@pytest.mark.parametrize("name", MODELS)
def test_the_answer_moves_from_the_exchanged_token_to_the_row_that_writes(name: str) -> None:
    checkpoint, case = exchanged(name)
    config = checkpoint.model.config
    where = activations(config)
    share = dict(zip((place.name for place in where), carried(checkpoint, case, where), strict=True))
    reads = source_side(checkpoint)
    writes = "encoder" if config.architecture == "encoder" else "decoder"
    last = (config.encoder_layers if writes == "encoder" else config.decoder_layers) - 1
    assert share[f"{reads}.input.changed"] == pytest.approx(1, abs=1e-3)
    assert share[f"{writes}.{last}.writing"] == pytest.approx(1, abs=1e-3)
    assert share[f"{writes}.{last}.others"] == pytest.approx(0, abs=1e-3)
    assert share[f"{reads}.input.others"] == pytest.approx(0, abs=1e-3)
    assert share[f"{writes}.input.writing"] == pytest.approx(0, abs=1e-3)
    assert case.clean > 0 > case.corrupted


def test_one_place_of_the_stream_is_what_the_editor_patches() -> None:
    """The page's own patch gives log-probabilities; of two words their difference is that of the logits."""
    checkpoint, case = exchanged("de-en")
    run = case.run
    ids = list(source_ids(checkpoint, run))
    decode, encode = checkpoint.tokenizer.decode, checkpoint.tokenizer.encode
    others = (decode([*ids[: case.position], id_, *ids[case.position + 1 :]]) for id_ in range(4, 400))
    other = next(text for text in others if len(encode(text)) == len(ids))  # a sentence one token apart
    donor = translate(checkpoint, other)
    effects = activation_patching.patched(checkpoint, run, donor.trace.values, 1)[
        case.position
    ]  # (T) of what was written
    values = dict(donor.trace.values)
    name = "encoder.1.feed_forward.residual"

    def patch(value: torch.Tensor, at: object) -> torch.Tensor:
        value = value.clone()
        value[:, case.position] = torch.from_numpy(values[name])[case.position]
        return value

    edit = compose(checkpoint.model, Edit(name, patch))
    logits = checkpoint.model(
        torch.tensor([run.source]), torch.tensor([run.target]), torch.ones(1, len(run.source), dtype=torch.bool), edit
    )[0]
    before, after = (np.asarray(x[case.row]) for x in (run.trace.values["logits"], logits.detach().numpy()))
    probability = [float(x[case.answer] - np.log(np.exp(x.astype(float)).sum())) for x in (before, after)]
    assert effects[case.row] == pytest.approx(probability[1] - probability[0], abs=1e-4)
    corruption = Corruption(run, values, case.position, case.row, case.answer, case.other, case.clean, case.corrupted)
    place = next(place for place in activations(checkpoint.model.config) if place.name == "encoder.1.changed")
    [share] = carried(checkpoint, corruption, [place])
    difference = float(after[case.answer] - after[case.other])
    assert share == pytest.approx((case.clean - difference) / (case.clean - case.corrupted), abs=1e-4)


def test_a_head_is_carried_as_an_edit_of_its_numbers_would() -> None:
    checkpoint, case = exchanged("induction")
    value = "decoder.1.self_attention.head_outputs"

    def patch(x: torch.Tensor, at: object) -> torch.Tensor:
        x = x.clone()
        x[:, 0] = torch.from_numpy(case.values[value])[0]
        return x

    edit = compose(checkpoint.model, Edit(value, patch))
    logits = checkpoint.model(None, torch.tensor([case.run.target]), None, edit)
    row = logits[0, case.row].detach().numpy()
    expected = (case.clean - float(row[case.answer] - row[case.other])) / (case.clean - case.corrupted)
    place = next(place for place in activations(checkpoint.model.config) if place.name == "decoder.1.0")
    assert carried(checkpoint, case, [place]) == pytest.approx([expected], abs=1e-4)
    assert expected > 0.9  # the head that looks the answer up


def test_a_sentence_of_which_no_token_matters_is_left_out() -> None:
    checkpoint = load(Entry(SAMPLES / "de-en"))
    run = translate(checkpoint, "Wo ist das Buch?")
    assert corrupted(checkpoint, [run], 0) is None
    assert corrupted(checkpoint, [run, run], 0) is None
    count, shares = patching_effects.patched(checkpoint, [run, run])
    assert (count, shares) == (0, {})
