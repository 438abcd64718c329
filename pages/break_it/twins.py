"""The broken model and its healthy twin, both reading the sentence in view; cached for all sessions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.checkpoint import catalogue
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.models.warmup import is_warm
from pages.shared.text.words import name, words

if TYPE_CHECKING:
    from model.mistakes.catalogue import Mistake
    from model.mistakes.metrics import Sample, Twin

SEED = 0  # of a stand-in's random weights
SYSTEMS = {"B": "pre-norm", "C": "notebook", "D": "textbook"}  # the letters of docs/systems.md
EXAMPLE = "worked_example"  # a published number that is wrong, and no line of code


@dataclass(frozen=True, eq=False)
class Case:
    """One mistake in one model, and what both twins read.

    obstacle     why it is not the model in use that is broken, or None
    """

    key: str
    current_run: CurrentRun
    twins: dict[str, Twin]  # "healthy" and "broken"
    sample: Sample
    obstacle: str | None

    def tokens(self, side: str, which: str = "healthy") -> tuple[str, ...]:
        """What a stack reads."""
        same = side == "encoder" and self.twins[which].same_ids
        ids = self.sample.target if side == "decoder" or same else self.sample.source
        return models.tokenizer(self.current_run.entry).tokens(ids)


def mistakes() -> dict[str, Mistake]:
    """All of them; the first call waits for torch."""
    with nullcontext() if is_warm() else st.spinner(words("notice.running")):
        from model.mistakes.catalogue import MISTAKES
    return MISTAKES


def possible(entry: catalogue.Entry) -> list[str]:
    """The mistakes that can be made in a model."""
    from model.mistakes.twins import obstacle

    return [key for key, mistake in mistakes().items() if obstacle(mistake, entry.config) is None]


def case(current_run: CurrentRun, key: str) -> Case:
    """The mistake in the model in use, or in a stand-in that reads the same sentence."""
    from model.mistakes.twins import obstacle, sample

    mistake = mistakes()[key]
    run = models.run(current_run.entry, current_run.sentence)
    hindrance = obstacle(mistake, current_run.entry.config)
    if hindrance in (None, "raises"):
        healthy, broken = _made_in(current_run.entry, key)
    else:
        healthy, broken = _stand_in(models.tokenizer(current_run.entry).size, key)
    source = list(run.source) or models.tokenizer(current_run.entry).encode(current_run.sentence)
    read = sample(healthy, source, list(run.target))
    return Case(key, current_run, {"healthy": healthy, "broken": broken}, read, hindrance)


@st.cache_resource(max_entries=24, show_spinner=False, hash_funcs=models.BY_CONTENT)  # weights are those of the model
def _made_in(entry: catalogue.Entry, key: str) -> tuple[Twin, Twin]:
    from model.mistakes.metrics import Twin
    from model.mistakes.twins import sharing, twins_in

    model = models.checkpoint(entry).model
    if mistakes()[key].raises:
        healthy = Twin(sharing(model, model.config))
        return healthy, healthy
    return twins_in(mistakes()[key], model)


@st.cache_resource(max_entries=8, show_spinner=False)  # about 4 MB each
def _stand_in(vocabulary: int, key: str) -> tuple[Twin, Twin]:
    from model.mistakes.twins import stand_in

    return stand_in(mistakes()[key], vocabulary, SEED)


def measured(found: Case, measure: Callable[..., dict[str, float]]) -> list[tuple[str, float, float]]:
    """The numbers of both twins by name, measured on models of their own."""
    from model.mistakes.twins import apart

    healthy, broken = (measure(apart(found.twins[which]), found.sample) for which in ("healthy", "broken"))
    return [(number, value, broken[number]) for number, value in healthy.items()]


def output(found: Case, which: str) -> tuple[str, ...] | None:
    """The tokens that a twin writes by itself; None for a model that writes nothing, or that stands in."""
    config = found.current_run.entry.config
    if found.obstacle is not None or config["architecture"] == "encoder":
        return None
    ids = _written(found.current_run.entry, found.key, which, found.current_run.sentence)
    return models.tokenizer(found.current_run.entry).tokens(ids)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _written(entry: catalogue.Entry, key: str, which: str, sentence: str) -> tuple[int, ...]:
    from model.checkpoint.load import Checkpoint
    from model.decode.translate import translate

    twin = _made_in(entry, key)[which == "broken"]
    whole = models.checkpoint(entry)
    run = translate(
        Checkpoint(whole.name, twin.model, whole.tokenizer, trained=whole.trained), sentence, tap=twin.tap()
    )
    return run.target[1:]


def seen_in(mistake: Mistake) -> str:
    """Where it was found, in words."""
    if mistake.seen_in not in ("all", "common"):
        systems = [name("presets", SYSTEMS[letter]) for letter in mistake.seen_in.split(", ")]
        return words("break.seen_in", systems=words("notice.between").join(systems))
    return words(f"break.seen_{mistake.seen_in}")
