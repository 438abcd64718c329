"""Without them: sentences taken out or spoiled, the model trained again, and the word beside the same number at random.

Three trainings of each, from the starts and with the batches of the same seeds.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from corpora.pairs import Pair
from model.checkpoint.length_limit import readable_tokens
from model.decode import greedy
from model.errors import InvalidInput
from model.influence import retraining
from pages.data import asked_word
from pages.data.asked_word import AskedWord
from pages.shared.layout import progress
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from viz.charts.effects import training_pair_charts
from viz.html.plain_table import table_html
from viz.numbers import percent

MOST = (5, 10, 20, 40)  # sentences that are taken out
STAYS = 0.5  # the probability above which a word is still written
USUAL = 20  # of the first sentences, so many say which pattern and which topic are in view at first


@dataclass(frozen=True)
class Trial:
    """What is done to the training sentences, and beside it the same to random ones."""

    change: retraining.Change
    random: retraining.Change

    @property
    def changes(self) -> dict[str, retraining.Change]:
        """The trainings by name, in the order in which they are shown."""
        return {"before": retraining.Change(), "without": self.change, "random": self.random}


def figure(asked: AskedWord, scores: np.ndarray) -> None:
    """The controls, then the result once the user has asked for it; scores (N) of the method in view."""
    trial = _trial(asked, scores)
    if not trial.change.pairs:
        show.text(words("data_without.nothing"))
        return
    try:
        retraining.changed(asked_word.task(asked.entry).examples, trial.change)
    except InvalidInput as error:  # before any training, and below the controls, which can be set otherwise
        notices.say("warning", refusal(error))
        return
    mark = str(zlib.crc32(f"{asked.sentence} {asked.row} {trial.change}".encode()))
    if view.setting("again") != mark:
        show.text(words("data_without.ready", count=len(trial.change.pairs), of=len(scores)))
        label = words("data_without.train")
        st.button(label, key="train_again", type="primary", on_click=view.choose, kwargs={"again": mark})
        return
    changes, seeds, stages = trial.changes.values(), range(retraining.SEEDS), range(1, asked_word.STAGES + 1)
    parts = [(change, seed, number) for seed in seeds for change in changes for number in stages]
    name = f"again {asked.entry.name} {asked.entry.fingerprint} {mark}"
    with st.spinner(words("data_without.training")):
        results = progress.computed(name, parts, lambda *part: asked_word.trained(asked.entry, *part))
    if results is not None:
        _result(asked, trial, results)


def _trial(asked: AskedWord, scores: np.ndarray) -> Trial:
    """Draw the controls; the sentences that they choose."""
    task, rng = asked_word.task(asked.entry), random.Random(0)
    pairs, order = task.pairs, np.argsort(-scores, kind="stable").tolist()
    groups = {kind: own for kind, own in task.groups.items() if own}
    names = ("for", "against", "word", *groups, "chance")
    out = controls.select(
        "out",
        words("data_without.which"),
        {name: words(f"data_without.{name}", word=asked.token) for name in names},
        "for",
    )
    group = _group(out, groups[out], order) if out in groups else ()
    ways = {"out": words("data_without.take_out"), "spoil": words("data_without.spoil")}
    how = controls.choice("how", words("data_without.how"), ways, "out")
    if out in groups:
        chosen = list(group)
    elif out == "word":
        chosen = _holding(pairs, asked.token)
    else:
        most = min(controls.steps("most", words("data_without.most"), MOST, 20), len(pairs))
        ranked = order if out == "for" else order[::-1]
        chosen = rng.sample(range(len(pairs)), most) if out == "chance" else ranked[:most]
    beside = rng.sample(range(len(pairs)), len(chosen))
    changes = [retraining.Change(tuple(sorted(numbers)), how == "spoil") for numbers in (chosen, beside)]
    return Trial(*changes)


def _holding(pairs: Sequence[Pair], word: str) -> list[int]:
    return [number for number, pair in enumerate(pairs) if word in pair.target.split()]


def _group(kind: str, groups: Mapping[str, Sequence[int]], order: Sequence[int]) -> Sequence[int]:
    """The sentences of a pattern or a topic, at first of the one that most of the first sentences of `order` have."""
    titles = {"pattern": section("data_pattern"), "topic": section("data_topic")}[kind]
    options = {name: words("data_without.group", name=titles[name], count=len(own)) for name, own in groups.items()}
    usual = max(groups, key=lambda name: len(set(order[:USUAL]).intersection(groups[name])))
    return groups[controls.select(kind, words(f"data_without.which_{kind}"), options, usual)]


def _result(asked: AskedWord, trial: Trial, results: dict[tuple, retraining.Weights]) -> None:
    """The word's probability in each training, what is written then, and whether the difference is more than chance."""
    task, question = asked_word.task(asked.entry), asked.asked
    values: dict[str, list[float]] = {name: [] for name in trial.changes}
    outputs: list[str] = []
    for seed in range(retraining.SEEDS):
        for name, change in trial.changes.items():
            model = retraining.model_of(task.config, results[change, seed, asked_word.STAGES])
            values[name].append(float(np.exp(retraining.log_probabilities(model, [question])[0])))
            if name == "without":
                [written] = greedy.greedy(model, [question.source], readable_tokens(task.config) - 1)
                outputs.append(task.tokenizer.decode(written.ids))
    titles = section("data_without_row")
    chart = training_pair_charts.retrained_chart(
        {titles[name]: each for name, each in values.items()}, section("data_without_chart")
    )
    numbers = [
        {"training": number + 1, **{name: each[number] for name, each in values.items()}, "output": outputs[number]}
        for number in range(retraining.SEEDS)
    ]
    show.figure("data-without", chart.with_rows(lambda: numbers), measured={"sentences": len(task.pairs)})
    means = {name: percent(float(np.mean(each)), 1) for name, each in values.items()}
    show.text(words(f"data_without.{_verdict(values)}", word=asked.token, count=len(trial.change.pairs), **means))
    holding = _holding(task.pairs, asked.token)
    left = len(set(holding).difference(trial.change.pairs))
    if left and not trial.change.spoils and np.mean(values["without"]) > STAYS:
        show.text(words("data_without.still", word=asked.token, left=left, count=len(holding)))
    heads = [words("data_without.training_number"), *titles.values(), words("data_without.writes")]
    rows = [
        (str(number + 1), *(percent(each[number], 1) for each in values.values()), outputs[number])
        for number in range(retraining.SEEDS)
    ]
    show.table(table_html(heads, rows))
    show.caption(words("data_without.test", seeds=retraining.SEEDS))


def _verdict(values: dict[str, list[float]]) -> str:
    """Whether the word is rarer, or commoner, in every training without them than in every one without random ones."""
    if max(values["without"]) < min(values["random"]):
        return "falls"
    return "rises" if min(values["without"]) > max(values["random"]) else "unclear"
