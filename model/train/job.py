"""A training run as a task of the queue, and what a queue has to know of such runs.

This module needs no torch, so that runs can be listed without loading it.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.checkpoint.snapshots import ProbeAttention
    from model.train.limits import Limits
    from model.train.report import RunReport
    from model.train.run_settings import RunSettings
    from model.train.training_run import Run


class ShortTask:
    """What is the same of all runs that train no model of sentences and are over too soon to outlive a server."""

    def split(self, report: "RunReport") -> "tuple[RunReport, None]":
        """The report itself: it has no evaluation."""
        return report, None

    def stored(self) -> None:
        """Nothing."""


@dataclass(frozen=True)
class TrainingTask:
    """A training run that can be queued."""

    settings: "RunSettings"

    @property
    def steps(self) -> int:
        """Steps of the complete run."""
        return self.settings.steps

    def check(self, limits: "Limits") -> float:
        """The estimated seconds of the run. Raises `InvalidInput` for invalid settings and exceeded limits."""
        from model.train import check_settings

        return check_settings.check(self.settings, limits).seconds

    def start(self, limits: "Limits", state: dict | None = None) -> "Run":
        """The run, from its beginning or from a saved state."""
        from model.train.training_run import Run

        return Run(self.settings, state, limits)

    def stored(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return asdict(self.settings)

    @classmethod
    def restored(cls, fields: dict[str, Any]) -> "TrainingTask":
        """The task that `stored` described. Raises TypeError if this version has other settings."""
        from model.train.run_settings import RunSettings

        return cls(RunSettings(**fields))

    def split(self, report: "RunReport") -> "tuple[RunReport, ProbeAttention | None]":
        """The report without its probe attention, and the probe attention."""
        if report.evaluation is None:
            return report, None
        return replace(report, evaluation=replace(report.evaluation, probe=None)), report.evaluation.probe

    @staticmethod
    def latest(snapshot: Path) -> "ProbeAttention":
        """The probe attention of a saved snapshot."""
        from model.checkpoint import snapshots

        return snapshots.load(snapshot).probe

    @staticmethod
    def report(fields: dict[str, Any]) -> "RunReport":
        """The report that has these fields in JSON."""
        from model.analysis.energy import Energy
        from model.checkpoint.snapshots import Sample
        from model.train.induction import Induction
        from model.train.report import Evaluation, RunReport

        if evaluation := fields["evaluation"]:
            samples = tuple(Sample(**sample) for sample in evaluation["samples"])
            looked_up = evaluation.get("induction")
            evaluation["probe"] = evaluation.pop("look", None)  # its name in runs that were stored before
            fields["evaluation"] = Evaluation(
                **evaluation
                | {
                    "samples": samples,
                    "energy": Energy(**evaluation["energy"]),
                    "induction": Induction(**looked_up) if looked_up else None,
                }
            )
        return RunReport(**fields)

    @staticmethod
    def limits() -> "Limits":
        """The default limits of a run."""
        from model.train.limits import LIMITS

        return LIMITS

    @classmethod
    def smallest(cls) -> "TrainingTask":
        """A few steps of the smallest kind, for a worker to warm up with."""
        from model.train.run_settings import RunSettings

        return cls(RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=2, warmup=0))
