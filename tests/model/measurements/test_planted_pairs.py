"""`python -m model planted-pairs`: wrong pairs among more of the grammar's, and what it refuses."""

import json
import shutil
from pathlib import Path

import pytest

from corpora.tasks.few_sentences import FewSentences
from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.influence import methods, planting, small_task
from model.measurements.training_data import planted_pairs
from tests.samples import SAMPLES


def test_planted_pairs_among_more_sentences_of_the_grammar_are_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))
    monkeypatch.setattr(methods, "MOMENTS", 1)
    tasks, index = [], methods.Index
    monkeypatch.setattr(methods, "Index", lambda task, model: tasks.append(task) or index(task, model))
    assert main(["planted-pairs", "small-de-en", "--pairs", "500", "--copies", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["pairs"], result["copies"], result["first"]) == (500, 2, 0.01)
    assert result["kinds"] == planting.KINDS
    assert set(result["found"]) == set(planted_pairs.METHODS)
    found = {method: share for method, (share, _, _) in result["found"].items()}
    # Over the seeds 0 to 4: words 0.7 to 1, vectors 0.4 to 0.6, the others 0.9 to 1. By chance it would be 0.
    assert min(found["gradients"], found["tracin"]) > 0.75
    assert found["words"] > 0.55
    assert found["vectors"] > 0.25
    [task] = tasks
    assert task.settings.steps == round(300 * 500 / len(FewSentences().part("train")))
    right = set(FewSentences(600).part("train")[:500])
    assert sum(pair not in right for pair in task.pairs) == 2 * result["kinds"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["small-de-en", "--pairs", "100"], "--pairs"),
        (["small-de-en", "--pairs", "400", "--copies", "30"], "fewer --copies"),
        (["es-en"], "cannot be trained again"),
        (["reverse"], "cannot be trained again"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_sentence(
    options: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(SAMPLES))
    assert main(["planted-pairs", *options]) == 2
    assert said in capsys.readouterr().err


def test_a_small_model_of_another_corpus_is_refused_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    folder = shutil.copytree(SAMPLES / "small-de-en", tmp_path / "by-heart")
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card["run"] |= {"task": "notebook"}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    assert small_task.can_train_again(Entry(folder))
    assert main(["planted-pairs", "by-heart", "--pairs", "400"]) == 2
    assert "by-heart" in capsys.readouterr().err
