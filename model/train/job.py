"""A training run as a task of the queue, and what a queue has to know of such runs.

This module needs no torch: whoever only looks at runs does not load it.
"""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.train.run import Run, RunReport
    from model.train.settings import Limits, RunSettings


@dataclass(frozen=True)
class TrainingTask:
    """One run."""

    settings: "RunSettings"

    @property
    def steps(self) -> int:
        """Of a run that comes to its end."""
        return self.settings.steps

    def check(self, limits: "Limits") -> float:
        """About how many seconds it takes; raises `InvalidInput` for what cannot run or exceeds a limit."""
        from model.train import settings as run_settings

        return run_settings.check(self.settings, limits).seconds

    def start(self, limits: "Limits", state: dict | None = None) -> "Run":
        """The run, from its beginning or from where it was left."""
        from model.train.run import Run

        return Run(self.settings, state, limits)

    def stored(self) -> dict[str, Any]:
        """What JSON says of it."""
        return asdict(self.settings)

    @classmethod
    def restored(cls, fields: dict[str, Any]) -> "TrainingTask":
        """The task of which `stored` said this; a TypeError says that this version has other settings."""
        from model.train.settings import RunSettings

        return cls(RunSettings(**fields))

    @staticmethod
    def report(fields: dict[str, Any]) -> "RunReport":
        """The report that has these fields in JSON."""
        from model.analysis.energy import Energy
        from model.checkpoint.snapshots import Sample
        from model.train.run import Evaluation, RunReport

        if said := fields["evaluation"]:
            samples = tuple(Sample(**sample) for sample in said["samples"])
            fields["evaluation"] = Evaluation(**said | {"samples": samples, "energy": Energy(**said["energy"])})
        return RunReport(**fields)

    @staticmethod
    def limits() -> "Limits":
        """What a run may ask of a host that says nothing else."""
        from model.train.settings import LIMITS

        return LIMITS

    @classmethod
    def smallest(cls) -> "TrainingTask":
        """A few steps of the smallest kind, for a worker to warm up with."""
        from model.train.settings import RunSettings

        return cls(RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=2, warmup=0))
