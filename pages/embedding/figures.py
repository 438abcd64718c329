"""The embedding page's token in view, the tables of the model in use, and its strips of tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis import embedding
from model.analysis.embedding import Neighbour, Projection
from model.checkpoint import catalogue
from model.masking import padding
from model.tokenizer import UNK
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.formulas import latex
from pages.shared.text.words import words
from pages.shared.ui import controls, token_picker
from viz.charts.embedding import Point
from viz.data import Matrix, Selection
from viz.templates import render

WORDS_SHOWN = 400  # of the vocabulary, on the map
NEIGHBOURS = 10
MOST_PADDING = 8
WORD_LIMIT = 40  # characters of a word to take apart
WORD = "Zwerchfellkrampf 书"
MOST_STEPS = 4  # from the row of the table to the input
LARGEST = 8192  # more tokens or dimensions than any model here has
TEMPLATE = "pages/embedding/chips.html"


@dataclass(frozen=True, eq=False)
class Side:
    """One stack's way in: its T tokens and what was recorded of them.

    ids, table    None while a recorded example stands in for the model
    embedding     (T, d_model), scaled if the model scales
    position      (T, d_model), None in a model that adds no positions here
    normed_from   (T, d_model) the sum of the two, None where it is the input itself and not normalised first
    """

    name: str
    tokens: tuple[str, ...]
    ids: list[int] | None
    table: np.ndarray | None
    embedding: np.ndarray
    position: np.ndarray | None
    normed_from: np.ndarray | None
    input: np.ndarray
    scales: bool

    @property
    def d_model(self) -> int:
        return self.input.shape[1]

    @property
    def error(self) -> float:
        """Largest |embedding + position − their recorded sum| over all tokens."""
        total = self.embedding if self.position is None else self.embedding + self.position
        return float(np.abs(total - self.sum).max())

    @property
    def sum(self) -> np.ndarray:
        """Embedding plus position as recorded, (T, d_model): the input, or what is normalised to become it."""
        return self.input if self.normed_from is None else self.normed_from


def choose_side(current_run: CurrentRun) -> str:
    """The control for encoder or decoder, where the model has both."""
    sides = [name for name in ("encoder", "decoder") if f"{name}.input" in current_run.trace.values]
    if len(sides) == 1:
        return sides[0]
    titles = {name: words(f"embedding.side_{name}") for name in sides}
    return controls.choice("side", words("embedding.side"), titles, "encoder", hidden=True)


def side(current_run: CurrentRun, name: str) -> Side:
    """What the page shows of a stack."""
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
        normed_from=values.get(f"{name}.embedding_sum"),
        input=values[f"{name}.input"],
        scales=current_run.entry.config["scale_embedding"],
    )


@models.cached(16)
def tables(entry: catalogue.Entry) -> dict[str, np.ndarray]:
    """The embedding table (V, d_model) of each stack that the model has."""
    model = models.checkpoint(entry).model
    attributes = {"encoder": "source_embedding", "decoder": "target_embedding"}
    return {
        side: getattr(model, name).weight.detach().cpu().numpy()
        for side, name in attributes.items()
        if hasattr(model, name)
    }


@models.cached(16)
def vocabulary(entry: catalogue.Entry) -> tuple[str, ...]:
    """Every token as a user should see it, by id."""
    tokenizer = models.tokenizer(entry)
    return tokenizer.tokens(range(tokenizer.size))


@models.cached(8)
def projection(entry: catalogue.Entry, side_: str) -> Projection:
    """The table of a stack in two dimensions."""
    return embedding.project(tables(entry)[side_])


def choose_token(side_: Side) -> int:
    """The control for one token of the sentence, each with its id."""
    return token_picker.with_ids("token", words("embedding.token"), side_.tokens, side_.ids, last_word(side_.tokens))


def last_word(tokens: Sequence[str]) -> int:
    """The last token that is a word of its own: the one to look at first."""
    return max((i for i, token in enumerate(tokens) if len(token) > 1 and token.isalpha()), default=0)


def steps_of(side_: Side, token: int) -> Matrix:
    """The way of one token, a row per step, (3 to 5, d_model), all on one scale."""
    rows: dict[str, np.ndarray] = {}
    if side_.scales:
        row = side_.embedding[token] / side_.d_model**0.5 if side_.table is None else side_.table[_id(side_, token)]
        rows[words("embedding.row_table")] = row
        rows[words("embedding.row_scaled", root=f"{side_.d_model**0.5:.4g}")] = side_.embedding[token]
    else:
        rows[words("embedding.row_table")] = side_.embedding[token]
    if side_.position is not None:
        rows[words("embedding.row_position", position=token)] = side_.position[token]
    if side_.normed_from is not None:
        rows[words("embedding.row_sum")] = side_.normed_from[token]
    rows[_input("row", side_)] = side_.input[token]
    return Matrix(
        "steps",
        words("embedding.steps_matrix", token=side_.tokens[token]),
        np.stack(list(rows.values())),
        tuple(rows),
        tuple(map(str, range(side_.d_model))),
        column_axis=words("embedding.axis_dimension"),
        limit=_limit(side_.input[token]),
        decimals=4,
    )


def _input(part: str, side_: Side) -> str:
    """What the input is called: the sum itself, or the norm of it."""
    if side_.normed_from is None:
        return words(f"embedding.{part}_input")
    return words(f"embedding.{part}_normed")


def _limit(values: np.ndarray) -> float:
    """The value of full colour: a few outliers must not make all else pale."""
    return float(np.quantile(np.abs(values), 0.98)) or 1.0


def sentence_of(side_: Side) -> list[Matrix]:
    """Embedding, position and input of all tokens, (T, d_model) each, on one scale."""
    summed = {} if side_.normed_from is None else {"embedding_sum": side_.normed_from}
    parts = {"embedding": side_.embedding, "position": side_.position, **summed, "input": side_.input}
    labels = tuple(f"{i} {token}" for i, token in enumerate(side_.tokens))
    columns = tuple(map(str, range(side_.d_model)))
    scaled = "scaled" if side_.scales else "plain"
    titles = {
        "embedding": words(f"embedding.matrix_{scaled}"),
        "position": words("embedding.matrix_position"),
        "embedding_sum": words("embedding.row_sum"),
        "input": _input("matrix", side_),
    }
    return [
        Matrix(
            key,
            titles[key],
            values,
            labels,
            columns,
            limit=_limit(side_.input),
            column_axis=words("embedding.axis_dimension"),
        )
        for key, values in parts.items()
        if values is not None
    ]


def step_cell(side_: Side, steps: Matrix) -> Selection:
    """The cell that is clicked in the steps of a token; the first one to begin with."""
    row = controls.picked("step", words("embedding.axis_step"), MOST_STEPS, 0)
    return Selection(steps.key, min(row, len(steps.rows) - 1), dimension(side_))


def dimension(side_: Side) -> int:
    """The dimension whose sum is written out."""
    return min(controls.picked("dimension", words("embedding.axis_dimension"), LARGEST, 0), side_.d_model - 1)


def step_picked(selection: Selection) -> None:
    """Keep the cell that is clicked in the steps."""
    view.choose(step=selection.row, dimension=selection.column)


def sentence_cell(side_: Side, token: int, shown: Sequence[Matrix]) -> Selection:
    """The cell that is clicked in the sentence; at first in the last matrix, the input."""
    last = len(shown) - 1
    part = min(controls.picked("part", words("embedding.axis_part"), MOST_STEPS, last), last)
    return Selection(shown[part].key, token, dimension(side_))


def sentence_picked(shown: Sequence[Matrix]) -> Callable[[Selection], None]:
    """Keep the matrix, the token and the dimension that are clicked in the sentence."""
    keys = [matrix.key for matrix in shown]
    return lambda cell: view.choose(part=keys.index(cell.key), token=cell.row, dimension=cell.column)


def arithmetic(side_: Side, token: int, column: int) -> str:
    """The chosen dimension's sum as LaTeX, in enough digits for a pocket calculator to give the same result."""
    embedded, total = float(side_.embedding[token, column]), float(side_.sum[token, column])
    terms = latex("embedding_term", row=f"{embedded:.5f}")
    if side_.scales:
        root = side_.d_model**0.5
        terms = latex("embedding_term_scaled", row=f"{embedded / root:.6f}", root=f"{root:.7g}")
    if side_.position is not None:
        terms += latex("embedding_term_position", position=f"{float(side_.position[token, column]):.5f}")
    return latex("embedding_sum", column=column, terms=terms, total=f"{total:.4f}")


def flow(current_run: CurrentRun, side_: Side) -> None:
    """The steps from text to input, each with its shape."""
    count, d_model = side_.input.shape
    size = current_run.entry.config["source_vocabulary" if side_.name == "encoder" else "target_vocabulary"]
    text = current_run.sentence if side_.name == "encoder" else current_run.text
    steps = [
        (words("embedding.step_text"), words("embedding.characters", count=len(text))),
        (words("embedding.step_tokens"), f"({count})"),
        (words("embedding.step_ids"), f"({count})"),
        (words("embedding.step_rows", size=f"{size:,}", d_model=d_model), f"({count}, {d_model})"),
    ]
    if side_.scales:
        steps.append((words("embedding.step_scaled", root=f"{d_model**0.5:.4g}"), f"({count}, {d_model})"))
    if side_.position is not None:
        steps.append((words("embedding.step_position"), f"({count}, {d_model})"))
    if side_.normed_from is not None:
        steps.append((words("embedding.row_sum"), f"({count}, {d_model})"))
    steps.append((_input("step", side_), f"({count}, {d_model})"))
    st.html(render(TEMPLATE, "flow", steps=steps))


def strip(tokens: Sequence[str], ids: Sequence[int]) -> None:
    """Tokens with their ids; the unknown one framed."""
    framed = [(token, id_, id_ == UNK) for token, id_ in zip(tokens, ids, strict=True)]
    st.html(render(TEMPLATE, "strip", tokens=framed))


def neighbours(current_run: CurrentRun, side_: Side, token: int) -> list[Neighbour]:
    """The nearest rows of the table to a token's own."""
    assert side_.table is not None
    return embedding.nearest(side_.table, _id(side_, token), NEIGHBOURS)


def points(current_run: CurrentRun, side_: Side, token: int, near: Sequence[Neighbour]) -> list[Point]:
    """The first words of the vocabulary, the neighbours and the sentence's tokens on the map, each once."""
    assert side_.ids is not None
    names, plane = vocabulary(current_run.entry), projection(current_run.entry, side_.name).points
    kinds = dict.fromkeys(first_words(names), "rest")
    kinds |= dict.fromkeys((neighbour.id for neighbour in near), "near")
    kinds |= dict.fromkeys(side_.ids, "own") | {_id(side_, token): "chosen"}
    return [Point(names[i], i, float(plane[i, 0]), float(plane[i, 1]), kind) for i, kind in kinds.items()]


def first_words(names: Sequence[str]) -> list[int]:
    """Whole words in the order in which they were learned, which is about that of their frequency."""
    return [i for i, name in enumerate(names) if len(name) > 1 and name.isalpha()][:WORDS_SHOWN]


def _id(side_: Side, token: int) -> int:
    assert side_.ids is not None
    return side_.ids[token]


def taken_apart(current_run: CurrentRun) -> tuple[str, list[int], tuple[str, ...], tuple[str, ...]]:
    """The control for a word; the word, its ids and tokens without specials, and the characters that no token holds."""
    word = controls.text("word", words("embedding.word"), WORD, WORD_LIMIT)
    tokenizer = models.tokenizer(current_run.entry)
    ids = tokenizer.pieces(word)
    return word, ids, tokenizer.tokens(ids), tokenizer.unknown_characters(word)


@models.copied(64)
def padded(entry: catalogue.Entry, ids: tuple[int, ...], count: int, masked: bool):
    """A sentence with padding after it: what it weighs and what it changes."""
    return padding.padded(models.checkpoint(entry).model, list(ids), count, masked)


def padding_room(current_run: CurrentRun, side_: Side) -> int:
    """How much padding still fits the model's positions."""
    return min(MOST_PADDING, current_run.entry.config["max_length"] - len(side_.tokens))
