"""The attention and the saved moments of a run, as its figure reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from model.checkpoint import snapshots
from model.tokenization.tokenizer import SPECIALS
from model.train import run_settings
from pages.shared.models.models import cached
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.run_numbers import scale_of_energy
from pages.shared.session import languages
from pages.shared.text.words import all_texts
from viz.components.attention import attention_data
from viz.components.live_run import moment_data
from viz.data import KINDS, AttentionPanel


def look_panels(look: snapshots.ProbeAttention) -> list[AttentionPanel]:
    """Panels of the attention on the probe sentence, labelled as on every page."""
    rows = {"encoder": look.source_tokens, "decoder": look.target_tokens, "cross": look.output_tokens}
    columns = {"encoder": look.source_tokens, "decoder": look.target_tokens, "cross": look.source_tokens}
    return [
        AttentionPanel(
            kind=kind,
            weights=look.weights[kind].astype(np.float32),
            queries=rows[kind],
            keys=columns[kind],
            query_specials=tuple(token in SPECIALS for token in rows[kind]),
            key_specials=tuple(token in SPECIALS for token in columns[kind]),
            read=look.target_tokens if kind == "cross" else (),
        )
        for kind in KINDS
        if kind in look.weights
    ]


def tags_of_task(task: run_settings.Task) -> dict[str, str]:
    """The HTML tags of the languages of a task's source and target."""
    source, target = run_settings.languages_of(task)
    return languages.tags_of({"source_language": source, "target_language": target})


@cached
def drawn(look: snapshots.ProbeAttention, task: run_settings.Task, language: str) -> bytes:
    """The attention figure's data; everybody who watches a run is sent the same."""
    table = "attention_figure."
    words = {key.removeprefix(table): text for key, text in all_texts(language).items() if key.startswith(table)}
    panels = look_panels(look)
    return attention_data(
        panels, view="matrix", kind=panels[-1].kind, layer=0, head=0, words=words, languages=tags_of_task(task)
    )


@cached
def packed(id_: str, step: int, language: str) -> bytes:
    """A saved moment; raises `InvalidInput` where there is none."""
    result = run_queue.jobs().result(id_)
    then = result.moment(step)
    content = {
        "watched": [then.look.sentence, then.look.output],
        "samples": told(then.samples),
        "energy": [then.energy.embedding * scale_of_energy(result.settings), then.energy.position],
    }
    return moment_data(content, drawn(then.look, result.settings.task, language))


def told(samples: Sequence[snapshots.Sample]) -> list[dict[str, object]]:
    """Outputs of a model as JSON values, each marked as right or wrong."""
    return [asdict(sample) | {"right": sample.right} for sample in samples]
