"""Form of a training: the task, its data, the model and the training; and the time and memory that it will take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from corpora import task_list
from corpora.tasks import sequences, user_table
from model.errors import InvalidInput
from model.jobs.types import Outlook
from model.train import check_settings, cost_estimate, run_settings
from pages.shared.models.models import cached
from pages.shared.models.trainings import run_queue, runs
from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls
from pages.train import here, run_in_view, settings_diff

Number = TypeVar("Number", int, float)
T = TypeVar("T")
Controls = dict[str, Callable[[], Any]]  # what draws a control and gives its value, by the field of the settings
WIDTHS = (16, 32, 48, 64, 96, 128, 192, 256)
HEADS = (1, 2, 4, 8)
STEPS = (20, 40, 100, 200, 300, 600, 1000, 1400, 2000, 3000, 4000, 5000, 10_000, 20_000)
RATES = (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 1e-2, 2e-2, 5e-2)
FEED_FORWARDS = (32, 64, 128, 192, 256, 384, 512, 1024)
BATCHES = (200, 450, 900, 1200, 1800, 3600, 7200)
BASES = (10.0, 50.0, 100.0, 1000.0, 10_000.0)
DECAYS = (0.0, 0.01, 0.1, 0.3, 0.6, 1.0)
AVERAGES = (0.0, 0.5, 0.9, 0.99, 0.999)
WATCHED = 120  # characters of the sentence that is watched
KEY_VALUE_HEADS = (0, 1, 2, 4)
MODEL = ("architecture", "d_model", "heads", "key_value_heads", "encoder_layers", "decoder_layers", "d_ff", "norm",
         "norm_kind", "activation", "gated", "position", "position_base", "scale_embedding", "causal_mask",
         "dropout")  # fmt: skip
TRAINING = ("letters", "sentences", "learning_rate", "warmup", "schedule", "tokens_per_batch", "training_steps",
            "label_smoothing", "weight_decay", "average")  # fmt: skip
FIELDS = ("preset", *MODEL, *TRAINING, "shuffled", "watch")  # go back to their defaults with a new task
MORE = {*FIELDS, "training_seed"} - {"training_steps", "d_model", "learning_rate", "shuffled"}  # not in view at first
UNSURE = 1.5  # the longest time that is said, at least, as a multiple of the shortest: an estimate counts operations


def form(state: runs.TrainState) -> None:
    """The whole form; its button starts a run. Beside a run it is narrow."""
    task = _chosen("task", {task: words(f"train_task.{task}") for task in task_list.tasks()}, "dates", FIELDS)
    st.text(words(f"train_about.{task}"))
    changes = st.container(key="form_changes")
    brings = task_list.tasks()[task].brings
    own = _own(brings) if brings else ""
    first, begin = st.container(key="form_first"), st.container(key="form_start")
    columns = 1 if state.run else 3
    with st.expander(words("train.more"), expanded=_more_open()):
        base, sentence = _base(task)
        with first:
            fields = _drawn(_main(base), columns)
        fields |= _drawn(_more(base, fields["steps"]), columns)
    settings = replace(base, own=own, sentence=sentence, **fields)
    with changes:
        settings_diff.say(settings)
    with begin:
        _start(state, settings)
        here.offer(task)


def _base(task: str) -> tuple[run_settings.RunSettings, str]:
    """The settings that the others change: those of a task or of a system; and the sentence to watch."""
    names = {"": words("train.usual")} | {
        name: words(f"train_preset.{name}") for name in run_settings.presets_for(task)
    }
    preset = _chosen("preset", names, "", FIELDS[1:])
    sentence = controls.text("watch", words("train.watch"), "", WATCHED, words("train.watch_hint")).strip()
    return run_settings.of_preset(preset, task) if preset else run_settings.DEFAULTS[task], sentence


def _chosen(key: str, options: Mapping[Any, str], default: Any, others: Iterable[str]) -> Any:
    """A list that opens; with another choice the settings `others` go back to their defaults."""
    text = view.setting(key)
    if text is not None and text not in options:
        view.forget(key)
        notices.say("warning", words("notice.setting", field=words(f"train.{key}"), value=text[:40]))
    value = text if text in options else default

    def changed() -> None:
        option = widgets.sent(key)
        view.choose(**dict.fromkeys(others) | {key: None if option == default else option})

    tie = widgets.tied(key, value, default, {"index": list(options).index(value)}, options) | {"on_change": changed}
    return st.selectbox(words(f"train.{key}"), list(options), format_func=options.__getitem__, **tie)


# what the user brings


def _own(key: str) -> str:
    text = view.kept(key) or ""

    def typed() -> None:
        view.keep(**{key: widgets.sent(key, user_table.BYTES + 1)})

    area: dict[str, Any] = widgets.tied(key, text, None) | {"on_change": typed}
    st.text_area(words(f"train.{key}"), height=160, placeholder=words(f"train.{key}_hint"), **area)
    with st.container(horizontal=True, vertical_alignment="center", key="own_more"):
        example = words(f"train_example.{key}")
        st.button(words("train.example"), key="example", on_click=view.keep, kwargs={key: example})
        with st.popover(words("train.file")):
            file = st.file_uploader(words("train.file_hint"), key=f"{key}_file", max_upload_size=1)
    if file is not None and (file_text := _decoded(file.getvalue())) != text and view.kept("file") != file.file_id:
        view.keep(**{key: file_text, "file": file.file_id})
        script_run.rerun()
    return text


def _decoded(data: bytes) -> str:
    try:
        return user_table.decode(data)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ""


# model and training


def _drawn(controls_: Controls, columns: int) -> dict[str, Any]:
    """Draw each control, column by column; what is chosen, by the field of the settings."""
    names, height = list(controls_), -(-len(controls_) // columns)
    fields: dict[str, Any] = {}
    for number, column in enumerate(st.columns(columns, gap="medium")):
        with column:
            fields |= {name: controls_[name]() for name in names[number * height : (number + 1) * height]}
    return fields


def _main(base: run_settings.RunSettings) -> Controls:
    """The settings in view: how long, how large, how fast; and the control of the notebook's task."""
    controls_: Controls = {
        "steps": lambda: _among("training_steps", STEPS, base.steps, lambda steps: f"{steps:,}"),
        "d_model": lambda: _among("d_model", WIDTHS, base.d_model),
        "learning_rate": lambda: _among("learning_rate", RATES, base.learning_rate, _digits),
    }
    choices: Controls = {"shuffled": lambda: _said(controls.toggle, "shuffled", base.shuffled)}
    return controls_ | _of_task(base, choices)


def _more_open() -> bool:
    """Where one of its settings is not the usual one, and from then on: it does not close under a user's hand."""
    if any(view.setting(key) is not None for key in MORE):
        view.keep(more="1")
    return view.kept("more") is not None


def _more(base: run_settings.RunSettings, steps: int) -> Controls:
    """The settings that are changed more rarely. A shorter run warms up for a shorter time."""
    warmup = min(steps, round(base.warmup * steps / base.steps))
    controls_: Controls = {
        "architecture": lambda: _said(
            controls.choice, "architecture", section("train_architecture"), base.architecture
        ),
        "heads": lambda: _among("heads", HEADS, base.heads),
        "key_value_heads": lambda: _among("key_value_heads", KEY_VALUE_HEADS, base.key_value_heads, _shared),
        "encoder_layers": lambda: _said(controls.number, "encoder_layers", 1, 12, base.encoder_layers),
        "decoder_layers": lambda: _said(controls.number, "decoder_layers", 1, 12, base.decoder_layers),
        "d_ff": lambda: _among("d_ff", FEED_FORWARDS, base.d_ff),
        "norm": lambda: _said(controls.choice, "norm", section("train_norm"), base.norm),
        "norm_kind": lambda: _said(controls.choice, "norm_kind", section("train_norm_kind"), base.norm_kind),
        "activation": lambda: _said(controls.choice, "activation", section("train_activation"), base.activation),
        "gated": lambda: _said(controls.toggle, "gated", base.gated),
        "position": lambda: _said(controls.choice, "position", section("train_position"), base.position),
        "position_base": lambda: _among("position_base", BASES, base.position_base, lambda value: f"{value:,g}"),
        "scale_embedding": lambda: _said(controls.toggle, "scale_embedding", base.scale_embedding),
        "causal_mask": lambda: _said(controls.toggle, "causal_mask", base.causal_mask),
        "dropout": lambda: _said(controls.slider, "dropout", 0.0, 0.5, base.dropout, 0.05),
        "label_smoothing": lambda: _said(controls.slider, "label_smoothing", 0.0, 0.3, base.label_smoothing, 0.05),
        "weight_decay": lambda: _among("weight_decay", DECAYS, base.weight_decay, _digits),
        "schedule": lambda: _said(controls.choice, "schedule", section("train_schedule"), base.schedule),
        "warmup": lambda: _said(controls.number, "warmup", 0, steps, warmup),
        "tokens_per_batch": lambda: _among("tokens_per_batch", BATCHES, base.tokens_per_batch),
        "average": lambda: _among("average", AVERAGES, base.average, _digits),
        "seed": lambda: _said(controls.number, "training_seed", 0, 99_999, base.seed),
    }
    if task_list.tasks()[base.task].alone:
        del controls_["encoder_layers"], controls_["architecture"]
    choices: Controls = {
        "sentences": lambda: _said(controls.number, "sentences", 1, run_settings.SENTENCES, base.sentences),
        "letters": lambda: _said(controls.number, "letters", 2, sequences.LONGEST, base.letters),
    }
    return controls_ | _of_task(base, choices)


def _of_task(base: run_settings.RunSettings, choices: Controls) -> Controls:
    """Those of the controls that belong to the task."""
    return {name: control for name, control in choices.items() if name in task_list.tasks()[base.task].choices}


def _among(key: str, options: Sequence[Number], default: Number, title: Callable[[Number], str] = str) -> Number:
    """One of a few numbers, the default among them."""
    return _said(controls.steps, key, sorted(set(options) | {default}), default, title)


def _said(control: Callable[..., T], key: str, *arguments: Any) -> T:
    """A control of a setting with its name, and with what it does below."""
    value = control(key, words(f"train_setting.{key}"), *arguments)
    st.caption(words(f"train_effect.{key}"))
    return value


def _digits(value: float) -> str:
    return f"{value:.3g}"


def _shared(count: int) -> str:
    return str(count) if count else words("train.each_head")


# what it takes


def _start(state: runs.TrainState, settings: run_settings.RunSettings) -> None:
    estimate = None
    brings = task_list.tasks()[settings.task].brings
    if brings and not settings.own.strip():
        st.text(words(f"train.{brings}_first"))
    else:
        try:
            with st.spinner(words("train.preparing"), show_time=False):
                estimate = _estimate(settings)
        except InvalidInput as error:
            notices.say("warning", refusal(error))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="start_row"):
        is_pressed = st.button(words("train.start"), key="start", type="primary", disabled=estimate is None)
        if estimate is not None:
            st.text(_summary(estimate), width="content")
    if is_pressed and estimate is not None:
        run_in_view.start(settings)


@cached
def _estimate(settings: run_settings.RunSettings) -> cost_estimate.Estimate:
    return check_settings.check(settings)


def _summary(estimate: cost_estimate.Estimate) -> str:
    """Parameters, memory, and the time from the shortest to the longest, with that in the queue."""
    outlook = run_queue.jobs().outlook()
    low, high = time_range(estimate.seconds, outlook)
    text = words(
        "train.estimate",
        parameters=f"{estimate.parameters:,}",
        low=duration(low),
        high=duration(high),
        memory=max(1, round(estimate.memory / 1e6)),
    )
    return f"{text} · {words('train.waits', wait=duration(outlook.wait))}" if outlook.wait else text


def time_range(seconds: float, outlook: Outlook) -> tuple[float, float]:
    """The shortest and the longest time of a run of so many estimated seconds, the wait for other runs included.

    How far estimates were off for recent runs, and how many processes share a core now, make up the range.
    """
    low = seconds * outlook.fastest
    high = max(seconds * outlook.slowest, UNSURE * low)
    return _rounded(outlook.wait + low), _rounded(outlook.wait + high)


def _rounded(seconds: float) -> float:
    """As exact as a guess can be: to 1, 5 or 30 seconds, or to a minute."""
    unit = next(unit for below, unit in ((20, 1), (120, 5), (600, 30), (float("inf"), 60)) if seconds < below)
    return max(1, round(seconds / unit)) * unit


def duration(seconds: float) -> str:
    """12 s, 2 min, or 2 min 5 s."""
    whole = max(1, round(seconds))
    key = "seconds" if whole < 60 else "minutes" if whole % 60 else "whole_minutes"
    return section("train_figure")[key].format(minutes=whole // 60, seconds=whole % 60)
