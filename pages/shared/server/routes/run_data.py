"""The attention and the saved moments of a run, as its figure reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from model.checkpoint import snapshots
from pages.shared.models.models import cached
from pages.shared.models.trainings import run_queue
from pages.shared.models.trainings.run_numbers import scale_of_energy
from pages.shared.models.trainings.runs import tags
from pages.shared.text.words import all_texts
from viz.components.attention import attention_data
from viz.components.live_run import moment_data
from viz.data import KINDS, AttentionPanel, Look, sides


def probe_panels(probe: snapshots.ProbeAttention) -> list[AttentionPanel]:
    """Panels of the attention on the probe sentence, labelled as on every page."""
    tokens = probe.source_tokens, probe.target_tokens, probe.output_tokens
    return [
        AttentionPanel.of_tokens(kind, probe.weights[kind].astype(np.float32), *sides(kind, *tokens))
        for kind in KINDS
        if kind in probe.weights
    ]


@cached
def drawn(probe: snapshots.ProbeAttention, task: str, language: str) -> bytes:
    """The attention figure's data; everybody who watches a run is sent the same."""
    table = "attention_figure."
    words = {key.removeprefix(table): text for key, text in all_texts(language).items() if key.startswith(table)}
    panels = probe_panels(probe)
    return attention_data(panels, Look("matrix", panels[-1].kind), words, languages=tags(task))


@cached
def packed(id_: str, step: int, language: str) -> bytes:
    """A saved moment; raises `InvalidInput` where there is none."""
    result = run_queue.jobs().result(id_)
    then = result.moment(step)
    content = {
        "watched": [then.probe.sentence, then.probe.output],
        "samples": told(then.samples),
        "energy": [then.energy.embedding * scale_of_energy(result.settings), then.energy.position],
    }
    return moment_data(content, drawn(then.probe, result.settings.task, language))


def told(samples: Sequence[snapshots.Sample]) -> list[dict[str, object]]:
    """Outputs of a model as JSON values, each marked as right or wrong."""
    return [asdict(sample) | {"right": sample.right} for sample in samples]
