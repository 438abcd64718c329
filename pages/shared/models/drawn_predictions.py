"""Questions that ask for a prediction, drawn for a model and a sentence, and cached for all sessions.

torch is loaded with the first of them.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode

from model.checkpoint import catalogue
from model.predict.prediction import KINDS, AskedHead
from pages.shared.models import models
from pages.shared.session import view

Json = dict[str, Any]


@models.cached
def drawn(
    entry: catalogue.Entry, sentence: str, name: str, numbers: int, place: AskedHead | None = None
) -> Json | None:
    """The content of a question of the kind `name`; None where the model has none that is fair.

    `place` is the head in view, which is asked about where that is fair.
    """
    from model.predict.prediction import PredictionMaterial, ask

    run, checkpoint = models.run(entry, sentence), models.checkpoint(entry)
    material = PredictionMaterial(entry.config, run.trace, numbers, checkpoint=checkpoint, run=run, place=place)
    question = ask(name, material)
    if question is None:
        return None
    content = question.content() | {"model": entry.name, "sentence": sentence}
    return content | {"view": _view(content)}


def place_in_view() -> AskedHead | None:
    """The head that the page shows, where it shows one."""
    in_view = view.view()
    if in_view.attention_kind is None or in_view.layer is None or in_view.head is None:
        return None
    return AskedHead(cast(Any, in_view.attention_kind), in_view.layer, in_view.head)


def door(content: Json) -> tuple[str, dict[str, object]]:
    """The page on which the answer can be seen, with its settings."""
    kind = KINDS[content["question"]]
    return kind.page, {**kind.settings, **content["door"]}


def _view(content: Json) -> str:
    page, settings = door(content)
    about = {"checkpoint": content["model"], "sentence": content["sentence"]}
    chosen = {key: value for key, value in settings.items() if value is not None}
    return f"{page}?{urlencode(about | chosen)}"
