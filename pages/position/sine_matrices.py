"""The matrices of the position page: the table, products, rotations, alternatives, and the worked example."""

from collections.abc import Mapping

import numpy as np

from model.analysis import sinusoids
from model.analysis.cosine import cosines
from pages.position.sine_settings import Sines
from pages.shared.text.words import words
from viz.data import Matrix

BEYOND_COLUMNS = 32  # of a table, shown at its end
EDGE = 8  # rows shown on each side of a learned table's end


def heat_map(sines: Sines, labels: tuple[str, ...]) -> Matrix:
    """The table itself, a row for each position."""
    return Matrix(
        "table",
        words("position.table_matrix"),
        sines.table,
        labels,
        _numbers(sines.d_model),
        words("position.axis_position"),
        words("position.axis_column"),
        limit=1.0,
        decimals=4,
    )


def products(sines: Sines) -> Matrix:
    """⟨PE(m), PE(n)⟩ of every two positions, multiplied out."""
    return Matrix(
        "products",
        words("position.products_matrix"),
        sinusoids.products(sines.table),
        _numbers(sines.length),
        _numbers(sines.length),
        words("position.axis_m"),
        words("position.axis_n"),
        limit=sines.d_model / 2,
        decimals=2,
    )


def rotation(k: int, m: int, columns: list[int], sines: Sines) -> list[Matrix]:
    """R(k) over the pairs that begin at `columns`, and PE(m) turned by it beside PE(m + k) looked up."""
    both = [column + side for column in columns for side in (0, 1)]
    rows = sinusoids.positions(m + k + 1, sines.d_model, sines.base)
    turn = sinusoids.rotation(k, sines.d_model, sines.base)
    rotated_row = turn @ rows[m]
    names = tuple(map(str, both))
    note = words("position.rotation_note", count=len(both), d_model=sines.d_model)
    block = turn[np.ix_(both, both)]
    vectors = np.stack([rows[m], rotated_row, rows[m + k], rotated_row - rows[m + k]])[:, both]
    row_names = (f"PE({m})", f"R({k}) PE({m})", f"PE({m + k})", words("position.difference"))
    return [
        Matrix("block", words("position.rotation_matrix", k=k), block, names, names, limit=1.0, note=note),
        Matrix("vectors", words("position.vectors_matrix"), vectors, row_names, names, limit=1.0),
    ]


def alikeness(sines: Sines, learned_tables: Mapping[str, tuple[str, np.ndarray]]) -> list[Matrix]:
    """Cosines of every two positions of the sinusoidal table, of learned ones (max_length, d_model), and of none.

    `learned_tables` gives the model's name and its table, by "trained" and "untrained".
    """
    length = min(sines.length, *(len(rows) for _, rows in learned_tables.values()))
    tables = {
        "sinusoidal": sines.table[:length],
        **{kind: rows[:length] for kind, (_, rows) in learned_tables.items()},
        "none": np.zeros((length, sines.d_model)),
    }
    names = {kind: name for kind, (name, _) in learned_tables.items()}
    return [
        Matrix(
            name,
            words(f"position.kind_{name}"),
            cosines(rows),
            _numbers(length),
            _numbers(length),
            words("position.axis_m"),
            words("position.axis_n"),
            limit=1.0,
            note=words(f"position.note_{name}", name=names.get(name, "")),
        )
        for name, rows in tables.items()
    ]


def beyond(sines: Sines, table: np.ndarray) -> list[Matrix]:
    """Both tables around the last row of the learned one (max_length, d_model), which has no number past it."""
    limit, width = len(table), min(BEYOND_COLUMNS, sines.d_model)
    around = np.arange(max(0, limit - EDGE), limit + EDGE)
    sinusoidal = sinusoids.positions(limit + EDGE, sines.d_model, sines.base)[around, :width]
    learned_rows = np.full(sinusoidal.shape, np.nan)
    learned_rows[around < limit] = table[around[around < limit], :width]
    return [
        Matrix(
            name,
            words(f"position.kind_{name}"),
            rows,
            tuple(map(str, around)),
            _numbers(width),
            words("position.axis_position"),
            words("position.axis_column"),
            note=words(f"position.beyond_{name}", limit=limit, last=limit - 1),
        )
        for name, rows in (("sinusoidal", sinusoidal), ("learned", learned_rows))
    ]


def worked_sum(base: int) -> list[Matrix]:
    """The textbook's embeddings, positions and their sum."""
    return [
        _small("embedding", words("position.worked_embedding"), sinusoids.worked_input(), _numbers(4)),
        _small(
            "position",
            words("position.worked_position", base=f"{base:,}"),
            sinusoids.positions(4, 4, base),
            _numbers(4),
        ),
        _small("sum", words("position.worked_sum"), sinusoids.worked_example(base), _numbers(4)),
    ]


def worked_row() -> list[Matrix]:
    """Row 3 as published and as it comes out, and how far the two are apart."""
    right = np.array([sinusoids.worked_example(base)[3] for base in (10_000, 100)])
    row_in_book = np.array([sinusoids.PUBLISHED_ROW_3])
    names = (words("position.row_right"), words("position.row_hundred"))
    return [
        _small(
            "row",
            words("position.row_matrix"),
            np.concatenate([row_in_book, right]),
            (words("position.row_published"), *names),
        ),
        _small("off", words("position.row_off"), row_in_book - right, names),
    ]


def _small(key: str, title: str, values: np.ndarray, rows: tuple[str, ...]) -> Matrix:
    return Matrix(key, title, values, rows, _numbers(4), limit=2.0, decimals=4)


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))
