"""A recording: the attention and the tokens of one pass, made elsewhere by a model that is not here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from model.checkpoint.catalogue import Entry, file_state
from model.errors import InvalidInput
from model.tokenization.tokenizer import is_special
from model.trace import Trace, load_trace

FILE = "recording.npz"
TASK = "recording"  # of its card


@dataclass(frozen=True)
class Recording(Entry):
    """A folder that holds a trace and no weights. It stands in lists of models; pages that compute refuse it."""

    @property
    def fingerprint(self) -> str:
        time, size = file_state(self.folder / FILE) or (0, 0)
        return f"{time:x}.{size:x}"

    @cached_property
    def trace(self) -> Trace:
        """Weights of every layer of the kinds of attention that were recorded, and the tokens."""
        return load_trace(self.folder / FILE)

    @property
    def source(self) -> str:
        """What was read, its tokens between spaces."""
        return _joined(self.trace.source_tokens or self.trace.target_tokens)

    @property
    def text(self) -> str:
        """What was written; empty for an encoder."""
        return _joined(self.trace.output_tokens)

    @cached_property
    def config(self) -> dict[str, Any]:
        """What the weights tell of the model: its architecture, layers and heads."""
        layers = {kind: self.trace.weights(kind).shape[:2] for kind in self.trace.kinds}
        reads, writes = "encoder" in layers or "cross" in layers, "decoder" in layers or "cross" in layers
        return {
            "architecture": "encoder-decoder" if reads and writes else "encoder" if reads else "decoder",
            "encoder_layers": layers.get("encoder", (0, 0))[0],
            "decoder_layers": max(layers.get("decoder", (0, 0))[0], layers.get("cross", (0, 0))[0]),
            "heads": max(heads for _, heads in layers.values()),
            "position": "unknown",
        }

    @cached_property
    def card(self) -> dict[str, Any]:
        """What pages need of a card: the sentence, and the head to look at first."""
        kind = "cross" if "cross" in self.trace.kinds else self.trace.kinds[0]
        first = {"attention_kind": kind, "layer": 0, "head": 0}
        return {"task": TASK, "examples": [self.source], "example_translation": self.text, "first_look": first}

    def check_files(self) -> None:
        """Raise `InvalidInput` if the recording is missing."""
        if not (self.folder / FILE).is_file():
            raise InvalidInput("checkpoint_file", name=self.name, file=FILE)


def _joined(tokens: tuple[str, ...]) -> str:
    """Tokens between spaces, without those that no text holds; `▁` and `Ġ` mark the beginning of a word."""
    return " ".join(token.lstrip("▁Ġ") or token for token in tokens if not is_special(token))
