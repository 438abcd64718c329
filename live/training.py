"""What a live page trains with: graphs of every size and pairs, one file for whichever models the page has."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from live import model_file
from live.model_file import packed
from model.train.browser import ready
from model.train.browser.sizes import SIZES
from model.train.browser.viewed import viewed

VIEWED = "viewed."  # begins the names of graphs for the views of a page, see `viewed` of frontend/training.js
_READ = ("tokens", "tokenizer", "target_tokenizer")  # of the header of a model's file: the same for every size
_SLICES = 256  # of each graph: few bytes apart from the same slice of other sizes, which differs little from it


@cache
def training_file() -> bytes:
    """The file, compressed; `loadTraining` in frontend/training.js reads it."""
    described = ready.described()
    kinds: dict[str, Any] = {}
    groups: dict[tuple[str, str], dict[str, bytes]] = {}  # graphs that differ little
    others: dict[str, bytes] = {}
    tables: list[tuple[str, str, int, int, int]] = []
    for name, kind in ready.KINDS.items():
        own = described["kinds"][name]
        models = {}
        for size in SIZES:
            each = ready.Ready(kind, size)
            shown = viewed(each)
            graphs = {graph: each.graph(graph) for graph in ready.GRAPHS}
            parts = model_file.parts(shown.graphs)
            if not kind.graphs:
                block = f"{name}.{size.d_model}"
                others[block] = parts.pop("weights")
                for graph, data in (graphs | {VIEWED + part: data for part, data in parts.items()}).items():
                    part = f"{name}.{size.name}.{graph}"
                    bare, found = _without_tables(data, each, others[block][slice(*shown.positions)])
                    tables += [(part, block, at, shown.positions[0], length) for at, length in found]
                    groups.setdefault((each.config.architecture, graph), {})[part] = bare
            header = model_file.header(each.checkpoint, {}, shown.graphs)
            read = {part: header.pop(part) for part in _READ}
            models[size.name] = own["models"][size.name] | {"positions": shown.positions, "viewed": header}
        kinds[name] = own | {"models": models, "reads": read}
    lengths = [[(name, len(data)) for name, data in group.items()] for group in groups.values()]
    body = b"".join(_interleaved([*group.values()]) for group in groups.values())
    known = {"kinds": kinds, "graphs": lengths, "slices": _SLICES, "tables": tables}
    return packed(described | known, {"graphs": body} | others)


def _without_tables(graph: bytes, of: ready.Ready, table: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """The graph without the first rows of the table of positions, and where they belong, in order: byte and length."""
    row, found = len(table) // of.config.max_length, []
    lengths = {of.config.max_length, *of.lengths, *(length - 1 for length in of.lengths)}
    for rows in sorted(lengths, reverse=True):
        while (at := graph.find(part := table[: rows * row])) >= 0:
            graph = graph[:at] + bytes(len(part)) + graph[at + len(part) :]  # so that later ones stay where they are
            found.append((at, len(part)))
    for at, length in sorted(found, reverse=True):
        graph = graph[:at] + graph[at + length :]
    return graph, sorted(found)


def _interleaved(parts: Sequence[bytes]) -> bytes:
    """The first slice of each, then the second of each, and so on."""
    return b"".join(
        part[len(part) * at // _SLICES : len(part) * (at + 1) // _SLICES] for at in range(_SLICES) for part in parts
    )
