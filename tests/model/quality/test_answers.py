"""What each kind of model answers to a line, against torch's own numbers of the same passes."""

from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint.catalogue import entry_of
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import encode, translate
from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.card import Origin
from model.quality import answers, lines, signals
from model.quality.lines import Line
from tests.model.pretrained.small import build
from tests.samples import SAMPLES

MISSING = ("ignored", "written", "mark", "doubt")  # what no model without an encoder and a decoder has


def imported(name: str, folder: Path) -> Checkpoint:
    build(name, folder / "original")
    importing.import_folder(folder / "original", folder, name, Origin(f"somebody/{name}"))
    return load(entry_of(folder / name))


def judged(checkpoint: Checkpoint, sentence: str, reference: str | None = None) -> signals.Judged:
    [line] = lines.read(sentence if reference is None else f"{sentence}\t{reference}")
    lines.check(checkpoint, (line,))
    return signals.judged(checkpoint, line, None)


def test_a_decoder_alone_is_judged_by_what_it_adds() -> None:
    checkpoint, sentence = load(entry_of(SAMPLES / "gpt-char")), "Where is Balumo? Balumo is in the"
    row, run = judged(checkpoint, sentence, "garden."), translate(checkpoint, sentence)
    read = encode(checkpoint, sentence)[:-1]
    added = run.ids[len(read) - 1 :]
    assert row.output == run.text.removeprefix(sentence).strip()
    with torch.inference_mode():
        logits = checkpoint.model(None, torch.tensor([run.target]))[0, len(read) - 1 :]
    each = torch.nn.functional.cross_entropy(logits, torch.tensor(added), reduction="none")
    assert row.log_probability == pytest.approx(-float(each.mean()), abs=1e-5)
    assert row.least == pytest.approx(-float(each.max()), abs=1e-5)
    entropy = torch.distributions.Categorical(logits=logits.double()).entropy().mean()
    assert row.entropy == pytest.approx(float(entropy), abs=1e-5)
    assert row.ratio == pytest.approx(len(added[:-1] if run.stop == "eos" else added) / len(sentence), rel=0.05)
    assert row.chrf is not None
    assert all(getattr(row, name) is None for name in MISSING)
    assert set(signals.table([row, row])) == {"surprise", "entropy", "least", "unseen", "repeated", "length"}


@pytest.mark.parametrize("sentence", ["he drinks water often .", "she is eating soup today ."])
def test_an_encoder_alone_is_judged_by_each_token_hidden_in_turn(sentence: str) -> None:
    checkpoint = load(entry_of(SAMPLES / "mini-encoder"))
    row, ids = judged(checkpoint, sentence), encode(checkpoint, sentence)
    places = [place for place, id_ in enumerate(ids) if checkpoint.tokenizer.decode([id_])]
    assert len(places) == len(sentence.split())
    logs = []
    for place in places:
        hidden = torch.tensor([ids])
        hidden[0, place] = checkpoint.tokenizer.mask_id
        with torch.inference_mode():
            logits = checkpoint.model(hidden, None)[0, place]
        logs.append(float(logits.log_softmax(-1)[ids[place]]))
    assert row.log_probability == pytest.approx(np.mean(logs), abs=1e-5)
    assert row.least == pytest.approx(min(logs), abs=1e-5)
    assert row.output == ""
    assert all(getattr(row, name) is None for name in (*MISSING, "repeated", "ratio", "chrf"))


def test_hidden_words_are_judged_where_there_are_some() -> None:
    checkpoint, sentence = load(entry_of(SAMPLES / "mini-encoder")), "she _ eating soup today ."
    row, run = judged(checkpoint, sentence, "she is eating soup today ."), translate(checkpoint, sentence)
    [place] = [place for place, id_ in enumerate(run.source) if id_ == checkpoint.tokenizer.mask_id]
    with torch.inference_mode():
        best = checkpoint.model(torch.tensor([run.source]), None)[0, place].log_softmax(-1).max()
    assert row.log_probability == pytest.approx(float(best), abs=1e-5)
    assert row.output == run.text
    assert "_" not in row.output
    assert row.chrf == pytest.approx(100) or row.output != "she is eating soup today ."


def test_a_label_is_judged_by_its_probability_and_is_right_or_wrong(tmp_path: Path) -> None:
    checkpoint, sentence = imported("bert-labels", tmp_path), "The dog sleeps on the sofa."
    row = judged(checkpoint, sentence, "good")
    recorded = torch.from_numpy(translate(checkpoint, sentence).trace.values["labels"]).double()
    shares = recorded.softmax(-1)[0]
    assert row.output == checkpoint.model.config.labels[int(shares.argmax())]
    assert row.probability == pytest.approx(float(shares.max()), abs=1e-6)
    assert row.entropy == pytest.approx(float(torch.distributions.Categorical(shares).entropy()), abs=1e-6)
    assert judged(checkpoint, sentence, row.output.upper()).chrf == 100
    others = [label for label in checkpoint.model.config.labels if label != row.output]
    assert [judged(checkpoint, sentence, label).chrf for label in others] == [0, 0]


@pytest.mark.parametrize("name", ["llama", "bert", "flan-t5"])
def test_imported_models_of_every_architecture_are_judged(name: str, tmp_path: Path) -> None:
    checkpoint = imported(name, tmp_path)
    row = judged(checkpoint, "The dog sleeps.")
    assert 0 < row.probability < 1
    assert row.least <= row.log_probability < 0 < row.entropy
    is_pair = checkpoint.model.config.architecture == "encoder-decoder"
    assert [getattr(row, field) is not None for field in ("ignored", "written", "mark")] == [is_pair] * 3


def test_a_sentence_of_which_the_model_knows_no_token_is_judged_too(tmp_path: Path) -> None:
    row = judged(imported("bert", tmp_path), "☃")
    assert row.unseen_share <= 1
    assert row.log_probability < 0


def test_a_model_with_another_kind_of_answer_is_refused(tmp_path: Path) -> None:
    checkpoint = imported("bert-tokens", tmp_path)
    assert not answers.can_answer(checkpoint.model.config)
    with pytest.raises(InvalidInput) as refused:
        lines.check(checkpoint, (Line(1, "The dog sleeps."),))
    assert refused.value.code == "lines_model"
