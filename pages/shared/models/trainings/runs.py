"""A user's training runs: the one in view and the others, in a few words each."""

from __future__ import annotations

from dataclasses import dataclass

from corpora import task_list
from model.jobs.types import OVER, Progress
from model.mistakes.training_settings import TRAINABLE
from model.train import run_settings
from pages.shared.session import language_choice
from pages.shared.text.words import words


@dataclass(frozen=True)
class TrainState:
    """The run that the URL names, None without one; this user's runs, the newest first; none has its reports."""

    run: Progress | None
    runs: tuple[Progress, ...]

    @property
    def own(self) -> bool:
        """Whether the run in view is this user's; somebody else's can be watched, not steered."""
        return self.run is not None and self.run.id in {run.id for run in self.runs}

    @property
    def over(self) -> bool:
        """Whether the run in view has come to an end."""
        return self.run is not None and self.run.state in OVER


def title(run: Progress) -> str:
    """A run in a few words."""
    settings = run.settings
    task = words(f"train_task.{settings.task}")
    apart = [words("train.shuffled")] if settings.shuffled else []
    steps = words("train.steps", count=f"{settings.steps:,}")
    return " · ".join([task, *apart, *mistakes(settings), steps, words(f"train_state.{run.state}")])


def numbered(state: TrainState) -> dict[str, str]:
    """This user's runs by id, numbered from the first one on."""
    return {run.id: f"{len(state.runs) - i} · {title(run)}" for i, run in enumerate(state.runs)}


def mistakes(settings: run_settings.RunSettings) -> list[str]:
    """The titles of the mistakes of /break whose settings these are."""
    return [
        words(f"break_titles.{key}")
        for key, fields in TRAINABLE.items()
        if all(getattr(settings, name) == value for name, value in ({"preset": ""} | fields).items())
    ]


def tags(task: str) -> dict[str, str]:
    """The HTML tags of the languages of a task's source and target."""
    source, target = task_list.tasks()[task].languages
    return language_choice.tags_of({"source_language": source, "target_language": target})
