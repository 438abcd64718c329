"""Words of more letters than in training: what the models of one task get right, and one word with its outputs."""

from __future__ import annotations

import streamlit as st

from corpora.tasks.sequences import RULES, Rule, answer
from model.checkpoint import catalogue
from model.decode import length_generalisation
from model.train import model_config
from pages.shared.layout import page
from pages.shared.models import current, models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.position import length_charts
from viz.html.plain_table import table_html
from viz.numbers import percent

USUAL: Rule = "copy"  # where the model in use has another kind of task: shipped with every way to give positions
COUNT = 20  # words for each number of letters: twice as many take twice as long
LEAST = 20  # letters that are tried at least
MOST = 6  # models drawn


def figures(current_run: CurrentRun) -> None:
    """All of this view."""
    texts = section("position_longer")
    rule = _rule(current_run.entry)
    entries = _entries(rule, current_run.entry)
    with page.card("figure_longer", texts["title"]):
        if not entries:
            show.text(words("position_longer.nothing", task=words(f"task_titles.{rule}")))
            return
        longest = max(map(_trained, entries))
        letters = range(2, max(LEAST, 2 * longest) + 1, 2)
        size = controls.steps("letters", texts["slider"], letters, letters[-1] * 3 // 4 // 2 * 2)
        with warmup.spinner():
            results = {entry.name: _by_letters(entry, rule, tuple(letters)) for entry in entries}
        _charts(results, longest, size)
        heads = (texts["model"], texts["output"])
        at = letters.index(size)
        written = {name: each.samples[at][1] for name, each in results.items()}
        rows = [(name, words("position_longer.no_row") if text is None else text) for name, text in written.items()]
        text = next(iter(results.values())).samples[at][0]
        show.text(words("position_longer.example", word=text, answer=answer(rule, text)))
        show.table(table_html(heads, rows))
        show.caption(words("position_longer.says", letters=longest, count=COUNT, best=_best(results, longest)))


def _rule(entry: catalogue.Entry) -> Rule:
    """The task of the model in use, if its inputs are letters."""
    letters = (rule for rule in RULES if rule != "addition")
    return next((rule for rule in letters if rule == entry.card.get("task")), USUAL)


def _entries(rule: Rule, own: catalogue.Entry) -> list[catalogue.Entry]:
    """The trained models of that task, by name; the model in use is always among them if it has the task."""
    every = [
        entry
        for entry in current.models().values()
        if not isinstance(entry, catalogue.Untrained) and entry.is_sound() and entry.card.get("task") == rule
    ]
    candidates = sorted(every, key=lambda entry: entry.name != own.name)
    # one rule at the greatest number of letters in training has to hold for all
    return [entry for entry in candidates if _trained(entry) == _trained(candidates[0])][:MOST]


def _trained(entry: catalogue.Entry) -> int:
    """The greatest number of letters in training: the model has `HEADROOM` positions more than its longest source."""
    return entry.config.max_length - model_config.HEADROOM - length_generalisation.AROUND


@models.cached
def _by_letters(entry: catalogue.Entry, rule: Rule, letters: tuple[int, ...]) -> length_generalisation.ByLetters:
    return length_generalisation.by_letters(models.checkpoint(entry), rule, letters, COUNT)


def _charts(results: dict[str, length_generalisation.ByLetters], longest: int, size: int) -> None:
    texts = section("position_longer")
    letters = next(iter(results.values())).letters
    exact, right = ({name: getattr(each, kind) for name, each in results.items()} for kind in ("exact", "right"))
    for column, (kind, shares) in zip(st.columns(2), (("exact", exact), ("right", right)), strict=True):
        with column:
            chart = length_charts.longer_chart(letters, shares, texts[kind], longest, size, texts)
            show.figure(f"longer_{kind}", chart.with_rows(lambda: length_charts.longer_rows(letters, exact, right)))


def _best(results: dict[str, length_generalisation.ByLetters], longest: int) -> str:
    """The greatest share of whole words that any model gets right on more letters than in training."""
    shares = (
        share
        for each in results.values()
        for size, share in zip(each.letters, each.exact.tolist(), strict=True)
        if size > longest and share == share  # not NaN
    )
    return percent(max(shares, default=0.0))
