"""Training again: without a change it is the run itself, what is taken out is not learned, and errors are found."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from corpora.tasks.few_sentences import FewSentences
from model.checkpoint.catalogue import entry_of
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate, translate_all
from model.errors import InvalidInput
from model.influence import methods, planting, retraining, small_task
from model.influence.retraining import Asked, Change
from model.train.run_settings import DEFAULTS
from model.train.training_run import Run
from tests.model.influence.small import tiny, words_of
from tests.samples import SAMPLES


def test_without_a_change_it_is_the_run_of_the_checkpoint() -> None:
    task = tiny()
    run = Run(task.settings)
    for _ in run.trainer.updates():
        pass
    weights = retraining.trained(task, Change(), task.settings.seed)
    for name, value in run.trainer.average.named_parameters():
        assert np.array_equal(weights[name], value.detach().numpy()), name
    other = retraining.trained(task, Change(), task.settings.seed + 1)
    assert any(not np.allclose(weights[name], other[name]) for name in weights)


def test_what_is_taken_out_is_gone_and_what_is_spoiled_has_another_target() -> None:
    examples = [([number], [100 + number]) for number in range(6)]
    assert retraining.changed(examples, Change((1, 4))) == [examples[number] for number in (0, 2, 3, 5)]
    spoiled = retraining.changed(examples, Change((1, 4), spoils=True))
    assert [target for _, target in spoiled] == [[100], [104], [102], [103], [101], [105]]
    assert [source for source, _ in spoiled] == [source for source, _ in examples]


def test_a_change_that_leaves_nothing_to_learn_from_is_refused() -> None:
    task = tiny()
    everything = tuple(range(len(task.pairs)))
    with pytest.raises(InvalidInput, match="No training pairs are left"):
        retraining.trained(task, Change(everything), 0)
    with pytest.raises(InvalidInput, match="No training pairs are left"):
        retraining.changed((), Change(spoils=True))
    assert len(retraining.changed(task.examples, Change(everything, spoils=True))) == len(everything)


def test_half_of_the_pairs_are_seen_as_often_as_all(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []

    class Watched(retraining.Trainer):
        def updates(self):
            steps.append((self.settings.steps, len(self.examples(0))))
            return iter(())

    monkeypatch.setattr(retraining, "Trainer", Watched)
    task = tiny()
    retraining.trained(task, Change(), 0)
    retraining.trained(task, Change(tuple(range(0, len(task.pairs), 2))), 0)
    assert steps[0] == (8, len(task.pairs))
    assert steps[1] == (4, len(task.pairs) // 2)


def test_probabilities_are_those_of_the_pass_of_each_sentence_alone() -> None:
    task = tiny()
    model = retraining.model_of(task.config, retraining.trained(task, Change(), 0))
    words = words_of(task, 5)
    found = retraining.log_probabilities(model, words)
    for word, value in zip(words, found, strict=True):
        with torch.inference_mode():
            logits = model(torch.tensor([word.source]), torch.tensor([word.target[: word.row + 1]]))[0, -1]
        assert value == pytest.approx(float(logits.log_softmax(-1)[word.word]), abs=1e-5)


def test_a_word_of_a_translation_is_asked_about_as_it_was_written() -> None:
    task = tiny()
    model = retraining.model_of(task.config, retraining.trained(task, Change(), 0))
    run = translate(Checkpoint("tiny", model, task.tokenizer), task.pairs[0].source)
    for row, written in enumerate(run.ids):
        asked = retraining.asked(run, row)
        assert (asked.word, asked.target[: row + 1]) == (written, run.target[: row + 1])


def test_only_runs_of_seconds_on_the_same_pairs_can_be_made_again() -> None:
    assert [name for name in ("small-de-en", "es-en", "reverse", "notebook-c", "gpt-char")
            if small_task.can_train_again(entry_of(SAMPLES / name))] == ["small-de-en"]  # fmt: skip
    with pytest.raises(InvalidInput, match="es-en"):
        small_task.of(entry_of(SAMPLES / "es-en"))


def test_without_all_its_sentences_a_word_is_never_written() -> None:
    task = small_task.of_settings(replace(DEFAULTS["few-sentences"], steps=200))
    chosen = tuple(number for number, pair in enumerate(task.pairs) if "dog" in pair.target.split())
    assert len(chosen) > 20
    corpus = FewSentences()
    held_out = [pair for split in ("validation", "test") for pair in corpus.part(split)]
    asked = [pair for pair in (*held_out, *(task.pairs[number] for number in chosen)) if "hund" in pair.source.split()]
    assert len(asked) > len(chosen)
    weights = {change: retraining.trained(task, change, 0) for change in (Change(), Change(chosen))}
    outputs = [
        translate_all(Checkpoint("x", retraining.model_of(task.config, each), task.tokenizer),
                      [pair.source for pair in asked])
        for each in weights.values()
    ]  # fmt: skip
    written = [sum("dog" in output.split() for output in each) for each in outputs]
    assert written[0] > 0.9 * len(asked)
    assert written[1] == 0


def test_planted_wrong_pairs_are_among_the_first_of_a_hundred() -> None:
    task, kinds = planting.planted(small_task.of_settings(replace(DEFAULTS["few-sentences"], steps=200)), seed=1)
    for each in kinds:
        assert all(each.wrong in task.pairs[number].target.split() for number in each.pairs)
        assert all(each.right not in task.pairs[number].target.split() for number in each.pairs)
    model = retraining.model_of(task.config, retraining.trained(task, Change(), 0))
    index = methods.Index(task, model)
    shares = {}
    for method in ("words", "gradients"):
        found = map(planting.is_found, kinds, index.scores(method, [each.asked for each in kinds]))
        shares[method] = sum(found) / len(kinds)
    assert shares["words"] >= 0.9, shares
    assert shares["gradients"] >= 0.9, shares  # a wrong pair has a large loss to the end
    others = [Asked(each.asked.source, each.asked.target, 0) for each in kinds]  # the article before it
    assert not all(map(planting.is_found, kinds, index.scores("words", others)))


def test_a_training_in_stages_is_the_training_at_a_stretch() -> None:
    task, change = tiny(), Change((1, 4))
    before = None
    for number in range(1, 4):
        before = retraining.stage(task, change, 5, number, 3, before)
        again = retraining.stage(task, change, 5, number + 1, 4, before)  # must not change what it goes on from
    found = retraining.weights_in(task.config, before.state["average"])
    expected = retraining.trained(task, change, 5)
    assert again.state["progress"][0] == before.state["progress"][0]
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert np.array_equal(found[name], value), name
