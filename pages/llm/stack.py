"""The layer that the chosen changes make, as boxes; what differs from 2017 is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.shared.text.words import section, words
from viz.html.blocks import Block, Kind, Stack

if TYPE_CHECKING:
    from model.train.run_settings import RunSettings


def stacks(settings: RunSettings, changes: frozenset[str]) -> list[Stack]:
    """The encoder and the decoder, or the decoder alone."""
    sides = ("decoder",) if settings.alone else ("encoder", "decoder")
    return [_Drawn(settings, changes, side).stack() for side in sides]


class _Drawn:
    """One side of the model with its texts."""

    def __init__(self, settings: RunSettings, changes: frozenset[str], side: str):
        self.settings = settings
        self.chosen = changes
        self.side = side
        self.texts = section("llm_block")

    def stack(self) -> Stack:
        layers = self.settings.encoder_layers if self.side == "encoder" else self.settings.decoder_layers
        return Stack(
            title=self.texts["alone" if self.settings.alone else self.side],
            times=f"× {layers}",
            before=[self._embedding()],
            layer=[block for sublayer in self._sublayers() for block in self._around(sublayer)],
            after=self._after(),
        )

    def _block(self, kind: Kind, label: str, detail: str = "", changes: tuple[str, ...] = ()) -> Block:
        marks = [words(f"llm_change.{name}") for name in changes if name in self.chosen]
        return Block(kind, self.texts[label], detail, " · ".join(marks))

    def _embedding(self) -> Block:
        position = self.texts["added" if self.settings.position == "sinusoidal" else "nothing_added"]
        return self._block("embedding", "embedding", position, ("rotary",))

    def _sublayers(self) -> list[Block]:
        causal = self.side == "decoder"
        detail = self.texts["rotated"] if self.settings.position == "rotary" else ""
        attention = self._block("attention", "masked" if causal else "self", _joined(detail, self._heads()),
                                ("rotary", "grouped"))  # fmt: skip
        shape = {"d_model": self.settings.d_model, "d_ff": self.settings.d_ff}
        kind = "gated" if self.settings.gated else "plain"
        feed_forward = self._block("feed_forward", "feed_forward", self.texts[kind].format(**shape), ("gated",))
        if not causal or self.settings.alone:
            return [attention, feed_forward]
        return [attention, self._block("cross", "cross", self._heads(), ("grouped",)), feed_forward]

    def _heads(self) -> str:
        key_value_heads = self.settings.key_value_heads or self.settings.heads
        return self.texts["heads"].format(heads=self.settings.heads, shared=key_value_heads)

    def _around(self, sublayer: Block) -> list[Block]:
        """A sublayer with its norm and its sum, in the order in which they act."""
        add = self._block("add", "add")
        return [self._norm(), sublayer, add] if self.settings.norm == "pre" else [sublayer, add, self._norm()]

    def _norm(self) -> Block:
        kind = "rms" if self.settings.norm_kind == "rms" else "layer_norm"
        return self._block("norm", kind, changes=("pre_norm", "rms_norm"))

    def _after(self) -> list[Block]:
        last = [self._norm()] if self.settings.norm == "pre" else []
        return last if self.side == "encoder" else [*last, self._block("output", "output")]


def _joined(*texts: str) -> str:
    return " · ".join(text for text in texts if text)
