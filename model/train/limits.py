"""The limits of one training: its time, its steps and its size."""

from dataclasses import dataclass

from model.errors import InvalidInput


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run may have and take at most."""

    parameters: int = 10_000_000
    steps: int = 20_000
    seconds: float = 1800.0
    tokens_per_batch: int = 20_000

    def out_of_time(self, step: int) -> InvalidInput:
        """Why a run ended at this step."""
        return InvalidInput("run_time", step=step, minutes=f"{self.seconds / 60:g}")


LIMITS = Limits()
UNLIMITED = Limits(seconds=1e9, steps=1_000_000)  # of a recipe
