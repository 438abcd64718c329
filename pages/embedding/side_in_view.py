"""The side in view, encoder or decoder, with its token in view."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.checkpoint import catalogue
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import controls, token_picker


@dataclass(frozen=True, eq=False)
class Side:
    """One stack's way in: its T tokens and what was recorded of them.

    ids, table    None while a recorded example stands in for the model
    embedding     (T, d_model), scaled if the model scales
    position      (T, d_model), None in a model that adds no positions here
    segment       (T, d_model), None in a model that does not know two texts apart
    normed_from   (T, d_model) the sum of these, None where it is the input itself and not normalised first
    """

    name: str
    tokens: tuple[str, ...]
    ids: list[int] | None
    table: np.ndarray | None
    embedding: np.ndarray
    position: np.ndarray | None
    segment: np.ndarray | None
    normed_from: np.ndarray | None
    input: np.ndarray
    scales: bool
    widened: int = 0  # d_model, where a product widens the input that is shown here

    @property
    def d_model(self) -> int:
        return self.input.shape[1]

    @property
    def error(self) -> float:
        """Largest |embedding + position (+ segment) − their recorded sum| over all tokens."""
        total = sum((each for each in (self.position, self.segment) if each is not None), self.embedding)
        return float(np.abs(total - self.sum).max())

    @property
    def sum(self) -> np.ndarray:
        """Embedding with what is added, as recorded, (T, d_model): the input, or what is normalised to become it."""
        return self.input if self.normed_from is None else self.normed_from


def choose_side(current_run: CurrentRun) -> str:
    """The control for encoder or decoder, where the model has both."""
    sides = [name for name in ("encoder", "decoder") if f"{name}.input" in current_run.trace.values]
    if len(sides) == 1:
        return sides[0]
    titles = {name: words(f"embedding.side_{name}") for name in sides}
    return controls.choice("side", words("embedding.side"), titles, "encoder", hidden=True)


def side(current_run: CurrentRun, name: str) -> Side:
    """Values of one stack, as the page shows them."""
    values, trace = current_run.trace.values, current_run.trace
    table = ids = None
    if not current_run.recorded:
        table, run = tables(current_run.entry)[name], models.run(current_run.entry, current_run.sentence)
        ids = list(run.source if name == "encoder" else run.target)
    return Side(
        name=name,
        tokens=trace.source_tokens if name == "encoder" else trace.target_tokens,
        ids=ids,
        table=table,
        embedding=values[f"{name}.embedding"],
        position=values.get(f"{name}.position"),
        segment=values.get(f"{name}.segment"),
        normed_from=values.get(f"{name}.embedding_sum"),
        input=values.get(f"{name}.narrow_input", values[f"{name}.input"]),
        scales=current_run.entry.config.scale_embedding,
        widened=values[f"{name}.input"].shape[1] if f"{name}.narrow_input" in values else 0,
    )


@models.cached
def tables(entry: catalogue.Entry) -> dict[str, np.ndarray]:
    """The embedding table (V, d_model) of each stack that the model has."""
    model = models.checkpoint(entry).model
    attributes = {"encoder": "source_embedding", "decoder": "target_embedding"}
    return {
        side: getattr(model, name).weight.detach().cpu().numpy()
        for side, name in attributes.items()
        if hasattr(model, name)
    }


def choose_token(stack: Side) -> int:
    """The control for one token of the sentence, each with its id."""
    return token_picker.with_ids("token", words("embedding.token"), stack.tokens, stack.ids, last_word(stack.tokens))


def last_word(tokens: Sequence[str]) -> int:
    """The last token that is a word of its own, if there is one of several letters: the one to look at first."""
    return max(
        (i for i, token in enumerate(tokens) if token.isalpha()), key=lambda i: (len(tokens[i]) > 1, i), default=0
    )


def token_id(stack: Side, token: int) -> int:
    """The id of a token of the sentence, which a recorded example does not have."""
    assert stack.ids is not None
    return stack.ids[token]
