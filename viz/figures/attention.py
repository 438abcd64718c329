"""Heads of attention as a figure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..components.attention import FRONTEND, attention_data, attention_rows, check_head
from ..components.attention_blocks import Head, Held, held
from ..components.engine import svg
from ..data import AttentionPanel, Film, Kind, Look
from ..palette import Mode
from ..standalone.document import Component
from .figure import Figure

MOST_ROWS = 50  # that are said in words
HEIGHT = 640  # px of one, until it is drawn


class AttentionFigure(Figure):
    """Heads of attention; the widget's `selection` has `kind`, `layer`, `head`, `query` and `key`.

    `each` draws a figure for each kind, as lines need it; else the one that `look` chose is drawn, or all on one wall.
    `words` and `languages` are those of `attention_data`. Raises ValueError for a head that is not there.
    `exact`, if given, are heads by kind that stay exact where others become block means, so that the file of a long
    input is not large. `column` is what the table of numbers calls the weights.
    """

    def __init__(
        self,
        panels: Sequence[AttentionPanel],
        look: Look,
        *,
        words: Mapping[str, str],
        each: bool = False,
        title: str = "",
        language: str = "en",
        languages: Mapping[str, str] | None = None,
        exact: Mapping[Kind, Collection[Head]] | None = None,
        column: str = "weight",
    ):
        self.panels = {panel.kind: panel for panel in panels}
        self.look, self.words, self.languages, self.column = look, words, languages, column
        self.title, self.language, self.name = title, language, words["wall"]
        self.film_module = "attention" if look.film else ""
        check_head(panels, look.kind, look.layer, look.head)
        self._kinds = list(self.panels) if each else [look.kind]
        self._held = {} if exact is None else held(panels, {kind: self._firsts(kind) for kind in self._kinds}, exact)
        self.height = HEIGHT * len(self._kinds)

    def message(self, kind: Kind | None = None) -> bytes:
        """Message to the component; of another kind than the chosen one, with its first head."""
        kind = kind or self.look.kind
        layer, head = self._first(kind)
        look = replace(self.look, kind=kind, layer=layer, head=head)
        panels = list(self.panels.values())
        return attention_data(panels, look, self.words, languages=self.languages, held=self._held)

    def _first(self, kind: Kind) -> Head:
        return (self.look.layer, self.look.head) if kind == self.look.kind else (0, 0)

    def _firsts(self, kind: Kind) -> list[Head]:
        """The head that is shown first, and those whose lines may stand beside its own."""
        layer, head = self._first(kind)
        return [(layer, head), *self._beside(kind, layer)]

    def _beside(self, kind: Kind, layer: int) -> list[Head]:
        return (
            [(layer, each) for each in range(self.panels[kind].weights.shape[1])] if self.look.view == "links" else []
        )

    def parts(self) -> list[Component]:
        return [Component("attention", FRONTEND, self.message(kind)) for kind in self._kinds]

    def svg(
        self, *, dark: bool = False, kind: Kind | None = None, layer: int | None = None, head: int | None = None
    ) -> str:
        """One head as a picture: its lines, or its map; without arguments the one that the figure starts with."""
        at = (self.look.layer if layer is None else layer, self.look.head if head is None else head)
        return svg("attention", [self.one_head(kind or self.look.kind, *at)], "dark" if dark else "light")

    def one_head(self, kind: Kind, layer: int, head: int) -> bytes:
        """The component's message of that kind alone, whose chosen head a picture shows."""
        check_head(self.panels.values(), kind, layer, head)
        alone = {kind: Held(None, tuple(self._beside(kind, layer) or [(layer, head)]))} if kind in self._held else None
        return attention_data([self.panels[kind]], Look(self.look.view, kind, layer, head), self.words, held=alone)

    def film_message(self) -> bytes:
        """The chosen head, the sentence, and the output after each row."""
        written, sentence, _ = self.look.film or Film(())
        look = Look(self.look.view, self.look.kind, self.look.layer, self.look.head, film=Film(written))
        return attention_data([self.panels[look.kind]], look, self.words, sentence=sentence)

    def rows(self) -> list[dict[str, object]]:
        """The weights of the head that the figure starts with, a line each, in full precision."""
        return attention_rows(self.panels[self.look.kind], self.look.layer, self.look.head, self.column)

    def text(self) -> str:
        """The strongest key of each row of the heads that it starts with."""
        lines = [line for kind in self._kinds for line in self._said(kind)]
        return "\n".join([self.title, *lines] if self.title else lines)

    def _said(self, kind: Kind) -> Iterator[str]:
        panel, (layer, head) = self.panels[kind], self._first(kind)
        name = self.words["head_name"].format(kind=self.words[kind], layer=layer, head=head)
        yield self.words["summary"].format(head_name=name)
        for query, weights in list(zip(panel.queries, panel.weights[layer, head], strict=True))[:MOST_ROWS]:
            key = int(weights.argmax())
            said = self.words["summary_row" if weights.any() else "no_weights"]
            yield said.format(query=query, key=panel.keys[key], weight=f"{weights[key]:.3f}")
        if len(panel.queries) > MOST_ROWS:
            yield "…"

    @property
    def start(self) -> dict[str, Any]:
        look = self.look
        return {"kind": look.kind, "layer": look.layer, "head": look.head, "query": None, "key": None}


def heads_svg(figures: Sequence[AttentionFigure], mode: Mode = "light") -> str:
    """The chosen heads of several figures as one picture, below each other."""
    looks = [(figure, figure.look) for figure in figures]
    return svg("attention", [figure.one_head(look.kind, look.layer, look.head) for figure, look in looks], mode)
