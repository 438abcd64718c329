"""A model as one file for a page: description, tokens, tokenizer, graphs and weights, compressed.

Length of the header (4 bytes, little-endian), header (JSON), then the parts that the header lists with their lengths.
`loadModel` in frontend/model.js reads it.
"""

import gzip
import json
import struct
from collections.abc import Mapping
from typing import Any

from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.graph import gradient_graph
from model.graph.description import describe
from model.graph.doubt_score import described
from model.graph.export import DOUBT, Graphs, export
from model.graph.gradient_graph import GRADIENT
from model.graph.page_tokenizer import target_file, token_table, tokenizer_file
from model.measurements import ordinary

ANALYSIS = "analysis."  # begins the names of parts that `analyse` of frontend/model.js asks for


def model_file(checkpoint: Checkpoint, entry: Entry, *, with_gradient: bool = True) -> bytes:
    """The file of a model that reads text; without the graph of gradients it is made in a third of the time."""
    rule = ordinary.rule(entry)
    gradient = gradient_graph.described(checkpoint) if with_gradient else None
    graphs = export(checkpoint.model, with_doubt=rule is not None, with_gradient=gradient is not None)
    known = header(checkpoint, entry.card, graphs)
    known["description"][GRADIENT] = gradient
    if rule is not None:
        known["description"][DOUBT] = described(rule)
    return packed(known, parts(graphs))


def header(checkpoint: Checkpoint, card: Mapping[str, Any], graphs: Graphs) -> dict[str, Any]:
    """What stands before the parts."""
    return {
        "description": describe(checkpoint, card, graphs.values),
        "tokens": token_table(checkpoint.tokenizer),
        "tokenizer": tokenizer_file(checkpoint.tokenizer),
        "target_tokenizer": target_file(checkpoint.tokenizer),
        "parts_of_scores": graphs.parts,
    }


def parts(graphs: Graphs) -> dict[str, bytes]:
    """The graphs and their weights, by the names of the file."""
    named = {"whole": graphs.whole} | ({"step": graphs.step} if graphs.step else {}) | {"weights": graphs.weights}
    return named | {f"{ANALYSIS}{name}": graph for name, graph in graphs.analyses.items()}


def packed(header: Mapping[str, Any], parts: Mapping[str, bytes]) -> bytes:
    """A header and parts as one compressed file; `opened` in frontend/model.js reads it."""
    described = dict(header) | {"parts": [(name, len(data)) for name, data in parts.items()]}
    text = json.dumps(described, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return compressed(struct.pack("<I", len(text)) + text + b"".join(parts.values()))


def compressed(data: bytes) -> bytes:
    """The same bytes for the same data, always: their hash is part of a file's name."""
    return gzip.compress(data, 9, mtime=0)
