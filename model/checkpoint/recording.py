"""A recording: the attention and the tokens of one pass, made elsewhere by a model that is not here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.checkpoint.catalogue import Entry, of_files
from model.config import TransformerConfig
from model.errors import InvalidInput

FILE = "example.npz"  # its trace stands where a checkpoint has its recorded example
TASK = "recording"  # of its card


class _Told(TransformerConfig):
    """What the weights of a recording tell of its model; the other fields mean nothing, so nothing is checked."""

    def __post_init__(self) -> None:
        pass


@dataclass(frozen=True)
class Recording(Entry):
    """A folder with a trace, what it tells of the model (config.json), and what pages need of a card; no weights.

    It stands in lists of models; pages that compute refuse it.
    """

    @of_files
    def config(self) -> TransformerConfig:
        """`architecture`, layers and heads."""
        return _Told(**self._json("config.json"))

    @of_files
    def card(self) -> dict[str, Any]:
        """`task`, `examples` (the sentence), `example_translation` and `first_look`."""
        return self._json("card.json")

    def check_files(self) -> None:
        """Raise `InvalidInput` if the recording is missing."""
        if not (self.folder / FILE).is_file():
            raise InvalidInput("checkpoint_file", name=self.name, file=FILE)
