"""The vocabulary in view: its nearest tokens to one, its map in two dimensions."""

from collections.abc import Sequence

from model.analysis import embedding
from model.analysis.embedding import Neighbour, Projection
from model.checkpoint import catalogue
from pages.embedding.side_in_view import Side, tables, token_id
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from viz.charts.embedding.point_names import Point

WORDS_SHOWN = 400  # of the vocabulary, on the map
NEIGHBOURS = 10


@models.cached
def vocabulary(entry: catalogue.Entry) -> tuple[str, ...]:
    """Every token as a user should see it, by id."""
    tokenizer = models.tokenizer(entry)
    return tokenizer.tokens(range(tokenizer.size))


@models.cached
def projection(entry: catalogue.Entry, stack: str) -> Projection:
    """The table of a stack in two dimensions."""
    return embedding.project(tables(entry)[stack])


def neighbours(current_run: CurrentRun, stack: Side, token: int) -> list[Neighbour]:
    """The nearest rows of the table to a token's own."""
    assert stack.table is not None
    return embedding.nearest(stack.table, token_id(stack, token), NEIGHBOURS)


def points(current_run: CurrentRun, stack: Side, token: int, near: Sequence[Neighbour]) -> list[Point]:
    """The first words of the vocabulary, the neighbours and the sentence's tokens on the map, each once."""
    assert stack.ids is not None
    names, plane = vocabulary(current_run.entry), projection(current_run.entry, stack.name).points
    kinds = dict.fromkeys(first_words(names), "rest")
    kinds |= dict.fromkeys((neighbour.id for neighbour in near), "near")
    kinds |= dict.fromkeys(stack.ids, "own") | {token_id(stack, token): "chosen"}
    return [Point(names[i], i, float(plane[i, 0]), float(plane[i, 1]), kind) for i, kind in kinds.items()]


def first_words(names: Sequence[str]) -> list[int]:
    """Whole words in the order in which they were learned, which is about that of their frequency."""
    return [i for i, name in enumerate(names) if len(name) > 1 and name.isalpha()][:WORDS_SHOWN]
