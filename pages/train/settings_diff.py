"""Differences between a run and its task's own settings, and the mistake that it makes on purpose."""

from __future__ import annotations

import streamlit as st

from model.train import run_settings
from pages.shared.models.trainings.runs import mistakes
from pages.shared.text.words import section, words

APART = ("task", "seed", "own", "sentence", "shuffled")  # said elsewhere
NAMED = {"steps": "training_steps"}  # fields whose control has another name


def say(settings: run_settings.RunSettings) -> None:
    """The mistakes by name, and every setting that is changed; nothing for a run with the task's own."""
    changes = words("notice.between").join(_changes(settings))
    if titles := mistakes(settings):
        st.text(words("train.mistake", titles=words("notice.between").join(titles), changes=changes))
    elif changes:
        st.caption(words("train.changed", changes=changes))


def _changes(settings: run_settings.RunSettings) -> list[str]:
    """Each setting that is not as it would be, with its value; of a preset's run beside that preset."""
    usual = run_settings.DEFAULTS[settings.task]
    if settings.preset and not mistakes(settings):
        usual = run_settings.of_preset(settings.preset, settings.task)
    return [
        words("train.change", field=_field(name), value=_value(name, value))
        for name, value in run_settings.changed(settings, usual).items()
        if name not in APART
    ]


def _field(name: str) -> str:
    return words("train.preset") if name == "preset" else words(f"train_setting.{NAMED.get(name, name)}")


def _titles() -> dict[str, dict[str, str]]:
    return {
        "preset": section("train_preset"),
        "architecture": section("train_architecture"),
        "norm": section("train_norm"),
        "norm_kind": section("train_norm_kind"),
        "activation": section("train_activation"),
        "position": section("train_position"),
        "schedule": section("train_schedule"),
    }


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return words("train.on" if value else "train.off")
    if isinstance(value, str):
        return _titles()[name][value]
    return f"{value:,.12g}"
