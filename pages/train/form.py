"""What is to be trained: the task, its data, the model and the training; and what that will take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

import streamlit as st

from model.corpora.tasks import user_table
from model.errors import InvalidInput
from model.train import settings as run_settings
from pages.shared.models import runs
from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls
from pages.train import settings_diff, workbench

Number = TypeVar("Number", int, float)
WIDTHS = (16, 32, 48, 64, 96, 128, 192, 256)
HEADS = (1, 2, 4, 8)
STEPS = (20, 40, 100, 200, 300, 600, 1000, 1400, 2000, 3000, 5000, 10_000, 20_000)
RATES = (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 1e-2, 2e-2, 5e-2)
FEED_FORWARDS = (32, 64, 128, 192, 256, 384, 512, 1024)
BATCHES = (200, 450, 900, 1200, 1800, 3600, 7200)
BASES = (10.0, 50.0, 100.0, 1000.0, 10_000.0)
AVERAGES = (0.0, 0.5, 0.9, 0.99, 0.999)
WATCHED = 120  # characters of the sentence that is watched
OWN = {"text": "own_text", "own": "own_table"}  # what the user brings for a task, and where it is kept
MODEL = ("d_model", "heads", "encoder_layers", "decoder_layers", "d_ff", "norm", "activation", "position",
         "position_base", "scale_embedding", "causal_mask", "dropout")  # fmt: skip
TRAINING = ("learning_rate", "warmup", "schedule", "tokens_per_batch", "training_steps", "label_smoothing", "average")
MORE = ("d_ff", "norm", "activation", "dropout", "position", "position_base", "scale_embedding", "label_smoothing",
        "schedule", "warmup", "tokens_per_batch", "average", "causal_mask")  # fmt: skip
FIELDS = ("preset", *MODEL, *TRAINING, "shuffled", "watch")  # go back to their defaults with a new task


def form(state: runs.TrainState) -> None:
    """The whole form; its button starts a run."""
    task = _chosen("task", {task: words(f"train_task.{task}") for task in run_settings.TASKS}, "dates", FIELDS)
    st.text(words(f"train_about.{task}"))
    changes = st.container(key="form_changes")
    own = _own(task) if task in OWN else ""
    names = {"": words("train.usual")} | {
        name: words(f"train_preset.{name}") for name in run_settings.presets_for(task)
    }
    with st.container(horizontal=True, vertical_alignment="bottom", key="form_top"):
        preset = _chosen("preset", names, "", FIELDS[1:])
        watch = controls.text("watch", words("train.watch"), "", WATCHED, words("train.watch_hint"))
    base = run_settings.of_preset(preset, task) if preset else run_settings.DEFAULTS[task]
    settings = replace(_settings(base), own=own, sentence=watch.strip())
    with changes:
        settings_diff.say(settings)
    _start(state, settings)


def _chosen(key: str, options: Mapping[Any, str], default: Any, forgotten: Iterable[str]) -> Any:
    """A list that opens; with another choice the settings `forgotten` go back to their defaults."""
    text = view.setting(key)
    if text is not None and text not in options:
        view.forget(key)
        notices.say("warning", words("notice.setting", field=words(f"train.{key}"), value=text[:40]))
    value = text if text in options else default

    def changed() -> None:
        picked = widgets.sent(key)
        view.choose(**dict.fromkeys(forgotten) | {key: None if picked == default else picked})

    tie = widgets.tied(key, value, default, {"index": list(options).index(value)}, options) | {"on_change": changed}
    return st.selectbox(words(f"train.{key}"), list(options), format_func=options.__getitem__, **tie)


# what the user brings


def _own(task: run_settings.Task) -> str:
    key = OWN[task]
    text = view.kept(key) or ""

    def typed() -> None:
        view.keep(**{key: widgets.sent(key)})

    area: dict[str, Any] = widgets.tied(key, text, None) | {"on_change": typed}
    st.text_area(words(f"train.{key}"), height=160, placeholder=words(f"train.{key}_hint"), **area)
    with st.container(horizontal=True, vertical_alignment="center", key="own_more"):
        example = words(f"train_example.{key}")
        st.button(words("train.example"), key="example", on_click=view.keep, kwargs={key: example})
        with st.popover(words("train.file")):
            file = st.file_uploader(words("train.file_hint"), key=f"{key}_file", max_upload_size=1)
    if file is not None and (uploaded := _decoded(file.getvalue())) != text and view.kept("file") != file.file_id:
        view.keep(**{key: uploaded, "file": file.file_id})
        script_run.rerun()
    return text


def _decoded(data: bytes) -> str:
    try:
        return user_table.decode(data)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ""


# model and training


def _settings(base: run_settings.RunSettings) -> run_settings.RunSettings:
    chosen: dict[str, Any] = {}
    first, second, third, fourth = st.columns(4, gap="medium")
    with first:
        chosen["d_model"] = _among("d_model", WIDTHS, base.d_model)
        chosen["heads"] = _among("heads", HEADS, base.heads)
    with second:
        if base.task not in run_settings.ALONE:
            chosen["encoder_layers"] = _count("encoder_layers", 1, 12, base.encoder_layers)
        chosen["decoder_layers"] = _count("decoder_layers", 1, 12, base.decoder_layers)
    with third:
        chosen["steps"] = _among("training_steps", STEPS, base.steps, lambda steps: f"{steps:,}")
        chosen["learning_rate"] = _among("learning_rate", RATES, base.learning_rate, _digits)
    with fourth:
        seed = controls.number("training_seed", words("train_setting.training_seed"), 0, 99_999, base.seed)
        st.caption(words("train_effect.training_seed"))
        if base.task == "notebook":
            chosen["shuffled"] = controls.toggle("shuffled", words("train_setting.shuffled"), base.shuffled)
            st.caption(words("train_effect.shuffled"))
    with st.expander(words("train.more"), expanded=_more_open()):
        chosen |= _more(base, chosen["steps"])
    return replace(base, seed=seed, **chosen)


def _more_open() -> bool:
    """Where one of its settings is not the usual one, and from then on: it does not close under a user's hand."""
    if any(view.setting(key) is not None for key in MORE):
        view.keep(more="1")
    return view.kept("more") is not None


def _more(base: run_settings.RunSettings, steps: int) -> dict[str, Any]:
    """The settings that are changed more rarely. A shorter run warms up for a shorter time."""
    chosen: dict[str, Any] = {}
    first, second, third = st.columns(3, gap="medium")
    with first:
        chosen["d_ff"] = _among("d_ff", FEED_FORWARDS, base.d_ff)
        chosen["norm"] = _choice("norm", section("train_norm"), base.norm)
        chosen["activation"] = _choice("activation", section("train_activation"), base.activation)
        chosen["dropout"] = _part("dropout", 0.5, base.dropout)
    with second:
        chosen["position"] = _choice("position", section("train_position"), base.position)
        chosen["position_base"] = _among("position_base", BASES, base.position_base, lambda value: f"{value:,g}")
        chosen["scale_embedding"] = _switch("scale_embedding", base.scale_embedding)
        chosen["label_smoothing"] = _part("label_smoothing", 0.3, base.label_smoothing)
    with third:
        chosen["schedule"] = _choice("schedule", section("train_schedule"), base.schedule)
        chosen["warmup"] = _count("warmup", 0, steps, min(steps, round(base.warmup * steps / base.steps)))
        chosen["tokens_per_batch"] = _among("tokens_per_batch", BATCHES, base.tokens_per_batch)
        chosen["average"] = _among("average", AVERAGES, base.average, _digits)
        chosen["causal_mask"] = _switch("causal_mask", base.causal_mask)
    return chosen


def _among(
    key: str, options: Sequence[Number], default: Number, title: Callable[[Number], str] = lambda value: str(value)
) -> Number:
    """One of a few numbers, the default among them."""
    value = controls.steps(key, words(f"train_setting.{key}"), sorted(set(options) | {default}), default, title)
    st.caption(words(f"train_effect.{key}"))
    return value


def _count(key: str, low: int, high: int, default: int) -> int:
    value = controls.number(key, words(f"train_setting.{key}"), low, high, default)
    st.caption(words(f"train_effect.{key}"))
    return value


def _part(key: str, high: float, default: float) -> float:
    value = controls.slider(key, words(f"train_setting.{key}"), 0.0, high, default, 0.05)
    st.caption(words(f"train_effect.{key}"))
    return value


def _choice(key: str, titles: Mapping[str, str], default: str) -> str:
    value = controls.choice(key, words(f"train_setting.{key}"), titles, default)
    st.caption(words(f"train_effect.{key}"))
    return value


def _switch(key: str, default: bool) -> bool:
    value = controls.toggle(key, words(f"train_setting.{key}"), default)
    st.caption(words(f"train_effect.{key}"))
    return value


def _digits(value: float) -> str:
    return f"{value:.3g}"


# what it takes


def _start(state: runs.TrainState, settings: run_settings.RunSettings) -> None:
    estimate = None
    if settings.task in OWN and not settings.own.strip():
        st.text(words(f"train.{OWN[settings.task]}_first"))
    else:
        try:
            with st.spinner(words("train.preparing"), show_time=False):
                estimate = _estimate(settings)
        except InvalidInput as error:
            notices.say("warning", refusal(error))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="start_row"):
        pressed = st.button(words("train.start"), key="start", type="primary", disabled=estimate is None)
        if estimate is not None:
            st.text(_summary(estimate, settings), width="content")
    if pressed and estimate is not None:
        workbench.start(settings)


@lru_cache(maxsize=128)
def _estimate(settings: run_settings.RunSettings) -> run_settings.Estimate:
    return run_settings.check(settings)


def _summary(estimate: run_settings.Estimate, settings: run_settings.RunSettings) -> str:
    return words(
        "train.estimate",
        parameters=f"{estimate.parameters:,}",
        time=duration(estimate.seconds),
        memory=max(1, round(estimate.memory / 1e6)),
    )


def duration(seconds: float) -> str:
    """12 s, or 2 min 5 s."""
    whole = max(1, round(seconds))
    key = "minutes" if whole >= 60 else "seconds"
    return section("train_figure")[key].format(minutes=whole // 60, seconds=whole % 60)
