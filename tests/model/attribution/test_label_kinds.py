"""Questions about every kind of label, beside transformers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.__main__ import main
from model.attribution import gradients, told, why_question
from model.attribution.leave_one_out import leave_one_out
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.pretrained import importing
from model.pretrained.card import Origin
from model.pretrained.folder import Folder
from tests.model.pretrained.small import build

SENTENCES = {"bert-answers": "Where is the dog? [SEP] The dog is in the garden."}


@pytest.mark.parametrize("name", ["bert-labels", "bert-several", "bert-score", "bert-answers"])
def test_the_score_and_what_a_missing_word_changes_are_those_of_the_original(name: str, tmp_path: Path) -> None:
    original = build(name, tmp_path / name)
    checkpoint = importing.convert(Folder(tmp_path / name)).checkpoint
    run = translate(checkpoint, SENTENCES.get(name, "The dog sleeps on the sofa."))
    kind = checkpoint.model.config.label_kind
    for row, word in why_question.asked_about(checkpoint, run)[-2:]:
        question = why_question.Question(run, row, word)
        whole = _theirs(original, checkpoint, run.source, kind, row, word)
        assert why_question.score(run, kind, row, word) == pytest.approx(whole, abs=1e-4)
        assert gradients.integrated_gradients(checkpoint, question).gap == pytest.approx(0, abs=0.05)
        falls = leave_one_out(checkpoint, question)
        for fall, each in zip(falls, why_question.input_words(question), strict=True):
            if row in each.positions:
                assert np.isnan(fall)
                continue
            left = tuple(id_ for at, id_ in enumerate(run.source) if at not in each.positions)
            moved = row - sum(place < row for place in each.positions)
            assert fall == pytest.approx(whole - _theirs(original, checkpoint, left, kind, moved, word), abs=1e-4)


def _theirs(original: Any, checkpoint: Checkpoint, ids: tuple[int, ...], kind: str, row: int, word: int) -> float:
    """The log-probability that the original gives, or its number or logit."""
    theirs = {0: 0, 1: 3, 2: 4, 3: 2}  # [PAD], [CLS], [SEP] and [UNK]
    vocabulary = checkpoint.tokenizer.inner.get_vocab()
    read = [theirs[id_] if id_ in theirs else vocabulary[checkpoint.tokenizer.piece(id_)] for id_ in ids]
    segments = [int(4 in read[:at]) for at in range(len(read))]
    with torch.inference_mode():
        out = original(torch.tensor([read]), token_type_ids=torch.tensor([segments]))
    if kind == "span":
        logits = out.start_logits if word == 0 else out.end_logits
        return float(logits[0, row])
    logits = out.logits[0]
    if kind == "several":
        return float(logits.sigmoid().log()[word])
    return float(logits[word] if kind == "score" else logits.log_softmax(dim=-1)[word])


def test_measures_of_probabilities_are_refused_where_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build("bert-score", tmp_path / "original")
    importing.import_folder(tmp_path / "original", tmp_path / "folder", "rerank", Origin("somebody/rerank"))
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path / "folder"))
    assert main(["attribution", "rerank"]) == 2
    assert "need the probability of a label or a token" in capsys.readouterr().err


def test_what_is_asked_first_is_what_the_model_says(tmp_path: Path) -> None:
    build("bert-answers", tmp_path / "answers")
    checkpoint = importing.convert(Folder(tmp_path / "answers")).checkpoint
    run = translate(checkpoint, SENTENCES["bert-answers"])
    asked = why_question.asked_about(checkpoint, run)
    second = checkpoint.tokenizer.second_text(run.source)
    assert asked == [(row, label) for row in range(second or 0, len(run.source) - 1) for label in (0, 1)]
    assert why_question.said_first(checkpoint, run) in asked


def test_a_label_of_each_token_is_said_with_its_token(tmp_path: Path) -> None:
    build("bert-answers", tmp_path / "answers")
    checkpoint = importing.convert(Folder(tmp_path / "answers")).checkpoint
    question = told.asked(checkpoint, SENTENCES["bert-answers"], 3)
    about = told.about(checkpoint, question)
    assert (about["token"], about["at"]) == ("end", question.run.trace.source_tokens[question.row])
