"""Heads of attention as a figure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..components.attention import FRONTEND, attention_data, attention_rows
from ..components.attention_blocks import Head, Held, held
from ..components.engine import svg
from ..data import AttentionPanel, Kind, Link, Pin, View
from ..standalone.document import Component
from .figure import Figure

MOST_ROWS = 50  # that are said in words
HEIGHT = 640  # px of one, until it is drawn


class AttentionFigure(Figure):
    """Heads of attention; the widget's `selection` has `kind`, `layer`, `head`, `query` and `key`.

    `each` draws a figure for each kind, as lines need it; else the one of `kind` is drawn, or of all on one wall.
    `words` and the six after `language` are those of `attention_data`. Raises ValueError for a head that is not there.
    `exact`, if given, are heads by kind that stay exact where others become block means, so that the file of a long
    input is not large. `column` is what the table of numbers calls the weights.
    """

    def __init__(
        self,
        panels: Sequence[AttentionPanel],
        view: View,
        *,
        words: Mapping[str, str],
        kind: Kind | None = None,
        layer: int = 0,
        head: int = 0,
        each: bool = False,
        title: str = "",
        language: str = "en",
        pin: Pin | None = None,
        link: Link | None = None,
        written: Sequence[str] = (),
        compact: bool = False,
        paused: bool = False,
        languages: Mapping[str, str] | None = None,
        exact: Mapping[Kind, Collection[Head]] | None = None,
        column: str = "weight",
        sentence: str = "",
    ):
        self.panels = {panel.kind: panel for panel in panels}
        self.view = view
        self.kind: Kind = kind or panels[0].kind
        self.layer, self.head = layer, head
        self.words = words
        self.title, self.language, self.name = title, language, words["wall"]
        self.column = column
        self.sentence = sentence
        self.film_module = "attention" if written else ""
        self._check(self.kind, layer, head)
        self._kinds = list(self.panels) if each else [self.kind]
        self.pin, self.link = pin, link
        self._look: dict[str, Any] = {"written": written, "compact": compact, "paused": paused, "languages": languages}
        self._held = {} if exact is None else held(panels, {kind: self._firsts(kind) for kind in self._kinds}, exact)
        self.height = HEIGHT * len(self._kinds)

    def message(self, kind: Kind | None = None) -> bytes:
        """Message to the component; of another kind than the chosen one, with its first head."""
        return self._message(
            list(self.panels.values()), kind or self.kind, *self._first(kind or self.kind), pin=self.pin,
            link=self.link, held=self._held, **self._look,
        )  # fmt: skip

    def _first(self, kind: Kind) -> Head:
        return (self.layer, self.head) if kind == self.kind else (0, 0)

    def _firsts(self, kind: Kind) -> list[Head]:
        """The head that is shown first, and those whose lines may stand beside its own."""
        layer, head = self._first(kind)
        return [(layer, head), *self._beside(kind, layer)]

    def _beside(self, kind: Kind, layer: int) -> list[Head]:
        return [(layer, each) for each in range(self.panels[kind].weights.shape[1])] if self.view == "links" else []

    def _message(self, panels: Sequence[AttentionPanel], kind: Kind, layer: int, head: int, **more: Any) -> bytes:
        return attention_data(panels, view=self.view, kind=kind, layer=layer, head=head, words=self.words, **more)

    def parts(self) -> list[Component]:
        return [Component("attention", FRONTEND, self.message(kind)) for kind in self._kinds]

    def svg(
        self, *, dark: bool = False, kind: Kind | None = None, layer: int | None = None, head: int | None = None
    ) -> str:
        """One head as a picture: its lines, or its map; without arguments the one that the figure starts with."""
        panel = kind or self.kind
        at = (self.layer if layer is None else layer, self.head if head is None else head)
        self._check(panel, *at)
        return svg("attention", [self.one_head(panel, *at)], "dark" if dark else "light")

    def one_head(self, kind: Kind, layer: int, head: int) -> bytes:
        """The component's message of that kind alone, whose chosen head a picture shows."""
        alone = Held(None, tuple(self._beside(kind, layer) or [(layer, head)]))
        return self._message([self.panels[kind]], kind, layer, head, held={kind: alone} if kind in self._held else None)

    def film_message(self) -> bytes:
        """The chosen head, the sentence, and the output after each row."""
        panel = [self.panels[self.kind]]
        look = {"written": self._look["written"], "sentence": self.sentence}
        return self._message(panel, self.kind, self.layer, self.head, **look)

    def rows(self) -> list[dict[str, object]]:
        """The weights of the head that the figure starts with, a line each, in full precision."""
        return attention_rows(self.panels[self.kind], self.layer, self.head, self.column)

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
        return {"kind": self.kind, "layer": self.layer, "head": self.head, "query": None, "key": None}

    def _check(self, kind: str, layer: int, head: int) -> None:
        if kind not in self.panels:
            raise ValueError(f"There is no {kind} attention here, but {', '.join(self.panels)}.")
        layers, heads = self.panels[kind].weights.shape[:2]
        for name, index, count in (("layer", layer, layers), ("head", head, heads)):
            if not 0 <= index < count:
                raise ValueError(f"{kind} attention has {count} {name}s, 0 to {count - 1}; there is no {name}={index}.")


def heads_svg(figures: Sequence[AttentionFigure]) -> str:
    """The chosen heads of several figures as one picture, below each other."""
    return svg("attention", [figure.one_head(figure.kind, figure.layer, figure.head) for figure in figures])
