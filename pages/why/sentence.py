"""The sentence twice, coloured: by what a method says, and by what really happens without each word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.attribution import method_names
from pages.shared.layout import page
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, head_picker, show
from pages.shared.ui.downloads import export
from pages.why import cached_answers, long_answers, score_text
from pages.why.question_asked import AskedQuestion, repeat
from viz.figures.figure import Numbers
from viz.html.influence import Influence, influence_html
from viz.numbers import signed

HEAD = "head"
SHOWN = (*method_names.METHODS[:1], HEAD, *method_names.METHODS[1:-1])  # methods to choose from, the reference not
ONE = {"sentences": 1}  # that the numbers of a file are about
STILL = 0.1  # nats; a word does not matter if its deletion changes the score by less


def method(subject: AskedQuestion) -> tuple[str, head_picker.PickedHead | None]:
    """Draw the control for the method, and for the head where it is one."""
    titles = section("why_method")
    name = controls.choice("method", words("why.method"), {each: titles[each] for each in SHOWN}, SHOWN[0], True)
    return name, head_picker.pick_head(subject.current_run, ("cross", "decoder", "encoder")) if name == HEAD else None


def values_of(subject: AskedQuestion, name: str, picked: head_picker.PickedHead | None) -> np.ndarray | None:
    """Value of each word by a method, or by the head in view; None where the user has cancelled."""
    return long_answers.values(subject, name) if picked is None else cached_answers.of_head(subject, picked)


def figure(subject: AskedQuestion) -> str | None:
    """Both lines, and in a sentence whether they agree; gives the method in view, None where the user has cancelled."""
    with page.card("figure_sentence", words("why.sentence_title")):
        score_text.said(subject)
        name, place = method(subject)
        values = values_of(subject, name, place)
        if values is None:
            return None
        title = words("why.says", method=words(f"why_method.{name}"))
        show.table(line(subject, title, values, name in method_names.SIGNED))
        page.flush()
        falls = long_answers.values(subject, method_names.REFERENCE)
        if falls is None:
            return None
        show.table(line(subject, words("why.without"), falls, sign=True))
        text = verdict(subject, words(f"why_method.{name}"), values, falls)
        show.text(sentences(text, of_written(subject, falls)))
        named = name if place is None else f"{place.kind}.{place.layer}.{place.head}"
        export.files("why-words", Numbers(_rows(subject, named, values, falls)), measured=ONE)
        repeat(subject, "words", place)
    return name


def _rows(subject: AskedQuestion, method: str, values: np.ndarray, falls: np.ndarray) -> list[dict[str, object]]:
    """A line for each word: what the method says, and by how much the score falls without the word."""
    before = cached_answers.score(subject.key)
    return [
        {"token": subject.token, "rather": subject.other, "score": before, "side": word.side, "word": word.text,
         "method": method, "value": float(value), "fall_without": float(fall)}
        for word, value, fall in zip(subject.inputs, values, falls, strict=True)
    ]  # fmt: skip


def line(subject: AskedQuestion, title: str, values: np.ndarray, sign: bool) -> str:
    """The words of both sides with what each has; where nothing can be said stands a dash."""
    largest = float(np.nanmax(np.abs(values), initial=0)) or 1.0
    first = int(np.nanargmax(values)) if np.isfinite(values).any() else -1
    groups = []
    for side in ("source", "target"):
        each = [
            Influence(word.text, _number(values[at], sign), float(np.nan_to_num(values[at])) / largest, at == first)
            for at, word in enumerate(subject.inputs)
            if word.side == side
        ]
        if each:
            groups.append((side_title(subject, side), side, each))
    return influence_html(title, groups)


def side_title(subject: AskedQuestion, side: str) -> str:
    """Title of a side's words; a model without an encoder or without a decoder has one text."""
    if not subject.question.source or not subject.question.target:
        return words("why.text")
    return words("why.source") if side == "source" else words("why.target")


def _number(value: float, sign: bool) -> str:
    if np.isnan(value):
        return "–"
    return signed(value) if sign else f"{value:.2f}"


def verdict(subject: AskedQuestion, title: str, values: np.ndarray, falls: np.ndarray) -> str:
    """Whether the method and the deletion name the same word first, with the numbers."""
    texts = [word.text for word in subject.inputs]
    able = cached_answers.compared(subject)
    if not able:
        return words("why.nothing_to_delete")
    if not np.isfinite(values).all():
        return words("why.nothing_ranked", method=title)
    real, first = _largest(falls, able), _largest(values, able)
    if abs(falls[real]) < STILL:
        return words("why.still", still=STILL)
    numbers = {"method": title, "named": texts[first], "real": texts[real], "fall": signed(-falls[real])}
    after = _after(subject, falls[real], real)
    if first == real:
        return words("why.same", **numbers, after=after)
    return words("why.differs", **numbers, after=after, little=signed(-falls[first]))


def _largest(values: np.ndarray, able: Sequence[int]) -> int:
    return able[int(np.argmax(values[able]))]


def of_written(subject: AskedQuestion, falls: np.ndarray) -> str:
    """Say that a word written so far matters more than any of the source, where one does."""
    source = cached_answers.compared(subject)
    places = [at for at in np.flatnonzero(np.isfinite(falls)).tolist() if at not in source]
    if not places or not source:
        return ""
    most = _largest(falls, places)
    if falls[most] <= max(falls[source].max(), STILL):
        return ""
    texts = {"word": subject.inputs[most].text, "fall": signed(-falls[most])}
    return words("why.written_matters", **texts, instead=cached_answers.instead(subject.key, most))


def _after(subject: AskedQuestion, fall: float, place: int) -> str:
    """Say what the fall means for the token, and what would be written in its place."""
    before = cached_answers.score(subject.key)
    if subject.rather is not None:
        return words("why.after_difference", before=signed(before), after=signed(before - fall))
    if not subject.has_probability:
        return words(
            "why.after_logit" if subject.label_kind == "span" else "why.after_number",
            before=signed(before),
            after=signed(before - fall),
        )
    numbers = {"token": subject.token, "before": score_text.share(before), "after": score_text.share(before - fall)}
    instead = cached_answers.instead(subject.key, place)
    if instead == subject.token or subject.label_kind == "several":
        return words("why.after", **numbers)
    return words("why.after_label" if subject.label_kind else "why.after_instead", **numbers, instead=instead)
