"""The methods of attribution against numbers worked out by hand, against captum, and against passes run one by one."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from captum.attr import InputXGradient, IntegratedGradients

from model import masks
from model.attribution import attention_methods, gradients, leave_one_out, methods
from model.attribution.value_zeroing import zeroed_values
from model.attribution.why_question import Question, by_word, input_words
from model.checkpoint.catalogue import Entry, untrained
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import translate
from model.edit.edit_effects import generated
from model.pretrained import importing
from model.pretrained.card import Origin
from tests.model.attribution.copier import GAIN, A, B, C, copier, passed
from tests.model.pretrained.small import build
from tests.samples import KINO, SAMPLES, german_english

MODELS = ("de-en", "gpt-char", "mini-encoder", "llm-grouped", "untrained-bert", "untrained-t5")


def loaded(name: str) -> Checkpoint:
    return load(untrained(0)[name] if name.startswith("untrained") else Entry(SAMPLES / name))


def asked(name: str, rather: int | None = None) -> tuple[Checkpoint, Question]:
    """A question about the middle of the model's first example."""
    checkpoint = german_english() if name == "de-en" else loaded(name)
    sentence = KINO if name.startswith("untrained") else Entry(SAMPLES / name).card["examples"][0]
    run = translate(checkpoint, sentence)
    row = len(run.target or run.source) // 2
    return checkpoint, Question(run, row, int(generated(run)[row]), rather)


@pytest.fixture(scope="module")
def kino() -> tuple[Checkpoint, Question]:
    return asked("de-en")


# by hand: <bos> b c a are read, the score is logit(a) − logit(c) = 3 · (share of tokens that are b)


def by_hand() -> tuple[Checkpoint, Question]:
    checkpoint = copier()
    return checkpoint, Question(passed(checkpoint, B, C, A), row=3, word=A, rather=C)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("attention", [1 / 4, 1 / 4, 1 / 4, 1 / 4]),  # the weights see no difference
        ("rollout", [1 / 8, 1 / 8, 1 / 8, 5 / 8]),  # ½ A, and ½ for the token itself
        ("norms", [0, GAIN / 4, 0, 0]),
        ("gradient", [0, GAIN / 4, 0, 0]),  # the model is linear
        ("integrated", [0, GAIN / 4, 0, 0]),
        ("value_zeroing", [0, 1, 0, 0]),
        ("leave_one_out", [np.nan, GAIN / 4, -GAIN / 12, -GAIN / 12]),  # of three tokens, b is a third
    ],
)
def test_each_method_gives_what_was_worked_out_by_hand(method: str, expected: list[float]) -> None:
    values = methods.attribution(*by_hand(), method)
    assert values == pytest.approx(expected, abs=1e-4, nan_ok=True)


def test_without_an_alternative_the_score_is_the_log_probability() -> None:
    checkpoint = copier()
    question = Question(passed(checkpoint, B, B), row=2, word=A)
    score = leave_one_out.scores_without(checkpoint, question, [(), (1,), (1, 2)])
    share = [math.log(math.exp(logit) / (math.exp(logit) + 6)) for logit in (GAIN * 2 / 3, GAIN / 2, 0)]
    assert score == pytest.approx(share, abs=1e-5)


# against captum


def test_gradients_are_those_of_captum(kino: tuple[Checkpoint, Question]) -> None:
    checkpoint, question = kino
    embeddings = [question.run.trace.values[f"{side}.embedding"][: question.row + 1 if side == "decoder" else None]
             for side in ("encoder", "decoder")]  # fmt: skip
    inputs = tuple(torch.tensor(each)[None].requires_grad_() for each in embeddings)

    def score(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        def embedded(name: str, value: torch.Tensor) -> torch.Tensor:
            return {"encoder.embedding": source, "decoder.embedding": target}.get(name, value)

        ids = [torch.tensor([each]).expand(len(source), -1) for each in (question.source, question.target)]
        logits = checkpoint.model(*ids, masks.everything(ids[0]), embedded)
        return logits[:, -1].log_softmax(-1)[:, question.word]

    def by_token(parts: tuple[torch.Tensor, ...]) -> np.ndarray:
        return torch.cat([part[0].sum(-1) for part in parts]).detach().numpy()

    expected = by_token(InputXGradient(score).attribute(inputs))
    assert gradients.gradient_times_input(checkpoint, question) == pytest.approx(expected, abs=1e-5)
    path = IntegratedGradients(score).attribute(inputs, n_steps=600, method="gausslegendre")
    ours = gradients.integrated_gradients(checkpoint, question)
    assert ours.holds
    assert ours.values == pytest.approx(by_token(path), abs=ours.tolerance)


# laws, for each architecture and kind of position


@pytest.mark.parametrize("name", MODELS)
def test_shares_add_up_and_leaving_out_is_a_run_of_its_own(name: str) -> None:
    checkpoint, question = asked(name)
    words = input_words(question)
    for values in (attention_methods.rolled_out(question), zeroed_values(checkpoint, question)):
        assert values.sum() == pytest.approx(1, abs=1e-5)
        assert (values >= 0).all()
    weights = attention_methods.mean_weights(question)
    sides = {side: sum(len(word.positions) for word in words if word.side == side) for side in ("source", "target")}
    assert weights[: sides["source"]].sum() == pytest.approx(float(sides["source"] > 0), abs=1e-5)
    assert weights[sides["source"] :].sum() == pytest.approx(float(sides["target"] > 0), abs=1e-5)

    falls = leave_one_out.leave_one_out(checkpoint, question)
    able = np.flatnonzero(np.isfinite(falls))
    assert len(able) == sum(leave_one_out.can_leave_out(question, word) for word in words)
    for at in (able[0], able[-1]):
        assert falls[at] == pytest.approx(fall_by_itself(checkpoint, question, at), abs=1e-4)


def fall_by_itself(checkpoint: Checkpoint, question: Question, at: int) -> float:
    """One word deleted, in a pass of its own without any batch."""
    word = input_words(question)[at]
    scores = []
    for places in ((), word.positions):
        ids_by_side = {side: [id_ for place, id_ in enumerate(ids) if word.side != side or place not in places]
                for side, ids in (("source", question.source), ("target", question.target))}  # fmt: skip
        row = question.row - sum(place < question.row or bool(ids_by_side["target"]) for place in places
                                 if (word.side == "target") == bool(question.target))  # fmt: skip
        source, target = (torch.tensor([ids]) if ids else None for ids in ids_by_side.values())
        logits = checkpoint.model(source, target, None if source is None else masks.everything(source))
        scores.append(float(logits[0, row].log_softmax(-1)[question.word]))
    return scores[0] - scores[1]


def test_the_pieces_of_a_word_count_together(kino: tuple[Checkpoint, Question]) -> None:
    checkpoint, _ = kino
    run = translate(checkpoint, "Der Schmetterlingsflügel ist schön.")
    assert any(token.startswith("·") for token in run.trace.source_tokens)
    question = Question(run, 1, int(generated(run)[1]))
    words = input_words(question)
    assert "".join(word.text for word in words if not word.special and word.side == "source").startswith("Der")
    assert any(len(word.positions) > 1 for word in words)
    tokens = attention_methods.mean_weights(question)
    assert by_word(question, tokens).sum() == pytest.approx(tokens.sum())


def test_characters_of_a_word_count_together_where_whole_words_are_asked_for() -> None:
    checkpoint = load(Entry(SAMPLES / "zh-en"))
    run = translate(checkpoint, "我们今天去看电影。")
    question = Question(run, 1, int(generated(run)[1]))
    whole = replace(question, whole=True)
    texts = [[word.text for word in input_words(each) if word.side == "source"] for each in (question, whole)]
    assert texts[0] == ["<bos>", *"我们今天去看电影。", "<eos>"]
    assert texts[1] == ["<bos>", "我们", "今天", "去", "看", "电影", "。", "<eos>"]
    tokens = attention_methods.mean_weights(question)
    assert by_word(whole, tokens)[1] == pytest.approx(tokens[1:3].sum())
    falls = leave_one_out.leave_one_out(checkpoint, whole)
    assert falls[5] == pytest.approx(fall_by_itself(checkpoint, whole, 5), abs=1e-4)


def test_of_a_word_under_way_only_what_was_written_counts() -> None:
    checkpoint = load(Entry(SAMPLES / "llm-2017"))
    run = translate(checkpoint, "Wir gehen heute ins Kino.")
    row = run.trace.output_tokens.index("·ine")  # of c·ine·ma
    for whole in (False, True):
        last = input_words(Question(run, row, int(generated(run)[row]), whole=whole))[-1]
        assert (last.text, last.positions) == ("c", (row,))
        last = input_words(Question(run, row + 1, int(generated(run)[row + 1]), whole=whole))[-1]
        assert (last.text, last.positions) == ("cine", (row, row + 1))


def test_bytes_of_one_character_are_one_word(tmp_path: Path) -> None:
    build("gpt2", tmp_path / "gpt2")
    importing.import_folder(tmp_path / "gpt2", tmp_path, "model", Origin("somebody/gpt2"))
    run = translate(load(Entry(tmp_path / "model")), "The 龙 houses 你好")
    row = len(run.target) - 1
    words = input_words(Question(run, row, int(generated(run)[row])))
    dragon = next(word for word in words if word.text == "龙")
    assert len(dragon.positions) == 3
    assert [word.text for word in words if word.text in ("houses", "你", "好")] == ["houses", "你", "好"]
    assert [place for word in words for place in word.positions] == list(range(len(run.target)))
