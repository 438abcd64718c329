"""Titles of models in a list: the name and, in few words, the task."""

from typing import Any

from model.checkpoint import catalogue
from model.errors import InvalidInput
from pages.shared.models import own_models
from pages.shared.text.words import name, words


def task_title(card: dict[str, Any]) -> str:
    """The task of a card in few words, `German → English`; a task we have no word for stands as it is."""
    return _filled("task_titles", card)


def does(card: dict[str, Any]) -> str:
    """Say what the model does, in a sentence."""
    return _filled("tasks", card)


def title(checkpoint: str, entry: catalogue.Entry) -> str:
    """The name and the task, or that the checkpoint is damaged."""
    try:
        return f"{checkpoint} · {task_title(entry.card)}"
    except InvalidInput:
        return f"{checkpoint} · {words('frame.damaged')}"


def in_list(checkpoint: str, entry: catalogue.Entry) -> str:
    """The title in a list of all models, which says of a model that it is untrained or the user's own."""
    if checkpoint.startswith(catalogue.UNTRAINED):
        return words("frame.untrained", name=words(f"presets.{checkpoint.removeprefix(catalogue.UNTRAINED)}"))
    text = title(checkpoint, entry)
    return words("frame.yours", title=text) if own_models.is_own(checkpoint) else text


def _filled(table: str, card: dict[str, Any]) -> str:
    sides = {side: name("languages", card.get(f"{side}_language", "")) for side in ("source", "target")}
    template = {"task_titles": name("task_titles", card["task"]), "tasks": name("tasks", card["task"])}[table]
    return template if template == card["task"] else template.format(**sides)
