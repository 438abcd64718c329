"""The tables of a model, of which several may be one tensor under several names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torch import Tensor

from model.pretrained.tensors import Tensors, equal

_INTO = {"source": "source_embedding.weight", "target": "target_embedding.weight", "output": "output.weight"}
_KINDS = {  # whether source and target are one, whether the output is one with the last of them
    (True, True): "all",
    (True, False): "sides",
    (False, True): "target",
    (False, False): "none",
}


def tables(
    tensors: Tensors, names: Mapping[str, tuple[str, int]], width: int, ties: Sequence[tuple[str, str]], *, tied: bool
) -> tuple[str, dict[str, Tensor]]:
    """`tied_embeddings` of our config, and the tables of `source`, `target` and `output` that are apart.

    names   of those that the model has: the name in the file, and the rows; all are `width` wide
    ties    and `tied`: as in `Tensors.owners`. What the file holds decides, also against the config
    """
    own = tensors.owners(ties, tied=tied)
    read = {part: tensors.take(own.get(name, name), rows, width) for part, (name, rows) in names.items()}
    for name in {name for pair in ties for name in pair}:
        tensors.pass_copy(name, list(read.values()))
    table = read["target" if "target" in read else "source"]
    is_one = "source" in read and "target" in read and equal(read["source"], read["target"])
    is_output = "output" in read and equal(table, read["output"])
    for part, is_kept in (("target", not is_one), ("output", not is_output)):
        if not is_kept:
            del read[part]
    return _KINDS[is_one, is_output], {_INTO[part]: value for part, value in read.items()}
