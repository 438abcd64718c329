"""Where each written word comes from: the share of the source, token by token, by a method of choice."""

from __future__ import annotations

import numpy as np

from model.attribution.source_share import deletions, vectors, zeroing
from model.checkpoint import catalogue
from model.tokenization.token_text import CONTINUES, is_special
from pages.shared.layout import page, progress
from pages.shared.models import models
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, show
from pages.why.question_asked import AskedQuestion, repeat
from viz.charts.effects import source_share_charts
from viz.numbers import percent

METHODS = ("leave_one_out", "value_zeroing", "norms", "alti")
SUGGESTED = {  # a sentence that makes a model write a word twice, and one with a word that it lacks
    "de-en": ("Meine Mutter kocht Suppe und mein Vater kocht Suppe.", "Ich sehe einen Luchs."),
    "zh-en": ("狗很大，猫很小。", "鳄鱼很大。"),
    "es-en": ("Mi hermano come pan y mi hermana come pan.", "Veo un tejón."),
}


def figures(subject: AskedQuestion) -> None:
    """The curve of the chosen method, what it says, and how the method works."""
    with page.card("figure_origin", words("why_origin.title"), words("why_origin.about")):
        if not (subject.question.source and subject.question.target):
            show.text(words("why_origin.one_text"))
            return
        titles = section("why_origin_method")
        options = {name: titles[name] for name in METHODS}
        method = controls.choice("share", words("why.method"), options, METHODS[0], hidden=True)
        shares = shares_by(subject, method)
        if shares is None:
            return
        tokens = subject.question.run.trace.output_tokens
        texts = section("why_origin_chart")
        chart = source_share_charts.share_chart(tokens, shares.tolist(), subject.row, texts)
        rows = [{"method": method, **row} for row in chart.rows()]
        show.figure("why-origin", chart.with_rows(lambda: rows), measured={"sentences": 1})
        show.text(_says(tokens, shares, subject.row))
        page.formula(f"why_origin_{method}")
        show.text(words(f"why_origin_about.{method}"))
        show.caption(words("why_origin.limits"))
        repeat(subject, "origin")


def shares_by(subject: AskedQuestion, method: str) -> np.ndarray | None:
    """The source's share of each written token by a method, (T); None where the user has cancelled."""
    if method == "leave_one_out":
        return _by_deletion(subject)
    if method == "value_zeroing":
        return _by_zeroing(subject)
    return _by_vectors(subject.current_run.entry, subject.current_run.sentence, method)


@models.cached
def _by_vectors(entry: catalogue.Entry, sentence: str, method: str) -> np.ndarray:
    shares = vectors.norm_shares if method == "norms" else vectors.alti_shares
    return shares(models.checkpoint(entry).model, models.run(entry, sentence))


def _by_deletion(subject: AskedQuestion) -> np.ndarray | None:
    entry, sentence, run = subject.current_run.entry, subject.current_run.sentence, subject.question.run
    before = deletions.words_before(run, whole=subject.whole)
    every = deletions.deletable(run, before)
    size = deletions.at_once(models.checkpoint(entry), run)
    parts = [(entry, sentence, tuple(every[start : start + size])) for start in range(0, len(every), size)]
    results = progress.computed(_mark(subject, "deletion"), parts, _falls)
    if results is None:
        return None
    return deletions.shares(before, dict(zip(every, np.concatenate(list(results.values())), strict=True)))


@models.cached
def _falls(entry: catalogue.Entry, sentence: str, part: tuple[deletions.Word, ...]) -> np.ndarray:
    return deletions.falls_without(models.checkpoint(entry), models.run(entry, sentence), part)


def _by_zeroing(subject: AskedQuestion) -> np.ndarray | None:
    entry, sentence, run = subject.current_run.entry, subject.current_run.sentence, subject.question.run
    size, count = zeroing.at_once(models.checkpoint(entry), run), len(run.target) + len(run.source)
    layers = range(entry.config.decoder_layers)
    parts = [(entry, sentence, layer, start, min(start + size, count)) for layer in layers
             for start in range(0, count, size)]  # fmt: skip
    results = progress.computed(_mark(subject, "zeroing"), parts, _moved)
    if results is None:
        return None
    distances = np.concatenate(list(results.values())).reshape(len(layers), count, -1)
    return zeroing.shares(distances, len(run.target))


@models.cached
def _moved(entry: catalogue.Entry, sentence: str, layer: int, start: int, end: int) -> np.ndarray:
    return zeroing.moved(models.checkpoint(entry), models.run(entry, sentence), layer, range(start, end))


def _mark(subject: AskedQuestion, name: str) -> str:
    """Names the work, to know which one was cancelled."""
    key = subject.key
    return f"why origin {name} {key.entry.name} {key.entry.fingerprint} {key.sentence} {key.whole}"


def _says(tokens: tuple[str, ...], shares: np.ndarray, row: int) -> str:
    """The share of the marked token, the mean, and the word with the least of it, with what stands there."""
    marked = (
        "" if np.isnan(shares[row]) else words("why_origin.marked", token=tokens[row], share=percent(shares[row], 1))
    )
    later = [at for at in range(1, len(tokens)) if not is_special(tokens[at]) and np.isfinite(shares[at])]
    named = [at for at in later if any(map(str.isalnum, tokens[at]))]
    if not named:
        return marked
    least = min(named, key=lambda at: shares[at])
    numbers = {"mean": percent(shares[later].mean(), 1), "token": tokens[least], "least": percent(shares[least], 1)}
    return sentences(marked, words("why_origin.least", **numbers), _of_token(tokens, least))


def _of_token(tokens: tuple[str, ...], at: int) -> str:
    """Why what was written may suffice for a token: it goes on with a word, or stands there already."""
    if tokens[at].startswith(CONTINUES):
        return words("why_origin.goes_on")
    return words("why_origin.repeats", token=tokens[at]) if tokens[at] in tokens[:at] else ""


def suggestions(entry: catalogue.Entry) -> dict[str, str]:
    """Key of the words of a step to try -> a sentence at which the source's share of this model falls."""
    names = ("why.try_repeated", "why.try_unknown")
    return dict(zip(names, SUGGESTED.get(entry.name, ()), strict=False))
