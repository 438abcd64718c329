"""The state of an unfinished build, saved in the checkpoint's folder, so that it can be resumed."""

import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import torch

from model.build.recipes import Recipe, RunRecipe
from model.checkpoint import history
from model.checkpoint.catalogue import Entry
from model.checkpoint.history import Point
from model.checkpoint.snapshots import Snapshot
from model.errors import InvalidInput


class UnfinishedBuild:
    """The saved state of a training that is not finished, with the processor time it has taken so far."""

    FILE = "unfinished.pt"

    def __init__(self, folder: Path, recipe: Recipe | RunRecipe):
        self.folder = folder
        self.recipe = repr(recipe)
        self.before = 0.0  # minutes
        self.began = time.process_time()  # processor time: other programs on this machine do not count

    def minutes(self) -> float:
        """Processor time of this training so far, earlier sessions included."""
        return self.before + (time.process_time() - self.began) / 60

    def load(self) -> dict[str, Any]:
        """The last saved state; empty at the start. Raises `InvalidInput` if another recipe saved it."""
        path = self.folder / self.FILE
        if not path.exists():
            return {}
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state.pop("recipe", None) != self.recipe:
            raise InvalidInput("recipe_changed", folder=self.folder)
        self.before = state.pop("minutes")
        return state

    def history(self, step: int) -> tuple[list[Snapshot], list[Point]]:
        """The saved snapshots and the saved curve up to `step`."""
        entry = Entry(self.folder)
        snapshots = [snapshot for snapshot in history.load(entry) if snapshot.step <= step]
        return snapshots, [point for point in history.curve(entry) if point.step <= step]

    def save(self, state: dict[str, object], snapshots: Sequence[Snapshot], curve: Sequence[Point]) -> None:
        """Replace the file in one step, so that an interruption here leaves a state that can be resumed."""
        history.save(self.folder, snapshots, curve, weights=inf)
        partial = self.folder / "unfinished.partial"
        torch.save(state | {"minutes": self.minutes(), "recipe": self.recipe}, partial)
        partial.replace(self.folder / self.FILE)
