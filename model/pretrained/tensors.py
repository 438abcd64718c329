"""The tensors of a Hugging Face model folder: each is read, known to carry nothing, or a reason to refuse the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.errors import InvalidInput
from model.pretrained.folder import checkpoints_below, read_json, refuse_pointer

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
# what torch.compile and parallel training put around a model or a part of it, as their names of tensors show
_WRAPPERS = frozenset({"_orig_mod", "module", "_fsdp_wrapped_module", "_checkpoint_wrapped_module", "_forward_module"})

# what names begin with where nothing is around the model; a module that keeps the model as `model` puts that before all
_ROOTS = (
    "model.", "lm_head.", "transformer.", "h.0.", "bert.", "roberta.", "distilbert.", "albert.", "electra.", "cls.",
    "gpt_neox.", "encoder.block.", "encoder.layer.", "transformer.layer.",
)  # fmt: skip
_OUTER = "model."
# as TensorFlow's BERT had them
_OLD_PARTS = {"LayerNorm.gamma": "LayerNorm.weight", "LayerNorm.beta": "LayerNorm.bias"}
# why a tensor that is not read changes nothing; a head is named in the card
BUFFER = "is computed from the config"
HEAD = "is a head that the app has no use for"
NEVER_USED = "is read by no model of its class"


class Tensors:
    """Tensors by name; `take` hands one out, in single precision and checked, and `account` answers for the others."""

    def __init__(self, folder: Path, progress: Callable[[int, int], None] = lambda done, total: None):
        self._read = _unwrapped(_opened(folder))
        self._taken: set[str] = set()
        self._progress = progress
        self.heads_left_out: list[str] = []  # such as `bert.pooler`, known after `account`

    def __contains__(self, name: str) -> bool:
        return name in self._read

    def prefix(self, *candidates: str) -> str:
        """The first of the prefixes that a tensor's name begins with; "" where none does."""
        return next((each for each in candidates if any(name.startswith(each) for name in self._read)), "")

    def take(self, name: str, *shape: int) -> Tensor:
        """The tensor of that name. Raises `InvalidInput` if it is missing, of another shape, or not finite."""
        if name not in self._read:
            raise InvalidInput("import_missing", tensor=name)
        tensor = self._read[name]().float()
        if tuple(tensor.shape) != shape:
            raise InvalidInput("import_shape", tensor=name, found=tuple(tensor.shape), needed=shape)
        if not tensor.isfinite().all():
            raise InvalidInput("import_values", tensor=name)
        self._taken.add(name)
        self._progress(len(self._taken), len(self._read))
        return tensor

    def linear(self, name: str, into: str, inputs: int, outputs: int, *, bias: bool = True) -> dict[str, Tensor]:
        """Weight and bias of a linear layer, under the name that it has in our model."""
        weights = {f"{into}.weight": self.take(f"{name}.weight", outputs, inputs)}
        return weights | ({f"{into}.bias": self.take(f"{name}.bias", outputs)} if bias else {})

    def norm(self, name: str, into: str, size: int, *, bias: bool = True) -> dict[str, Tensor]:
        """Gain and bias of a norm, under the name that it has in our model."""
        parts = ("weight", "bias") if bias else ("weight",)
        return {f"{into}.{part}": self.take(f"{name}.{part}", size) for part in parts}

    def owners(self, ties: Sequence[tuple[str, str]], *, tied: bool) -> dict[str, str]:
        """For each name that is there or tied to one that is: the name of the tensor that it has in transformers 5.

        ties   (name, name of the tensor that it is tied to), in the order of transformers
        tied   whether the config ties them; a tensor that is there is its own all the same
        """
        own = {name: name for name in self._read}
        for at, (name, source) in enumerate(ties if tied else ()):
            if name not in own and source in own:
                own[name] = own[source]
            elif name in own and source not in own:
                own[source] = own[name]
            elif name not in own:  # both are missing: a third name of the same tensor may be there
                others = [other for other, of in ties[at + 1 :] if of == source and other in own]
                if others:
                    own[name] = own[others[0]]
        return own

    def pass_copy(self, name: str, of: Sequence[Tensor]) -> None:
        """Count a tensor as read that is there and equal to one of those that were."""
        if name in self._read.keys() - self._taken and any(equal(self._read[name]().float(), each) for each in of):
            self._taken.add(name)

    def account(self, nothing: Mapping[str, str]) -> None:
        """Raise `InvalidInput` for a tensor that was not read and that is not known to carry nothing.

        nothing   pattern of names, and why such a tensor changes no value; of a `HEAD`, the first group is its name
        """
        heads: dict[str, None] = {}
        for name in sorted(self._read.keys() - self._taken):
            found = ((re.fullmatch(pattern, name), reason) for pattern, reason in nothing.items())
            match, reason = next(((match, reason) for match, reason in found if match), (None, ""))
            if match is None:
                raise InvalidInput("import_extra", tensor=name)
            if reason == HEAD:
                heads[match[1]] = None
        self.heads_left_out = list(heads)


def equal(first: Tensor, second: Tensor) -> bool:
    """Whether two tensors hold the same numbers."""
    return first.shape == second.shape and torch.equal(first, second)


def _unwrapped(read: dict[str, Callable[[], Tensor]]) -> dict[str, Callable[[], Tensor]]:
    """The tensors by the names that they have in the model itself. Raises `InvalidInput` where two are alike then."""
    result: dict[str, Callable[[], Tensor]] = {}
    for name, tensor in read.items():
        own = ".".join(part for part in name.split(".") if part not in _WRAPPERS)
        for old, new in _OLD_PARTS.items():
            own = own.replace(old, new)
        if own in result:
            raise InvalidInput("import_extra", tensor=name)
        result[own] = tensor
    while _is_kept_as_model(result):
        result = {name.removeprefix(_OUTER): tensor for name, tensor in result.items()}
    return result


def _is_kept_as_model(names: Iterable[str]) -> bool:
    """Whether another module has the whole model in its field `model`, as Lightning's usually do."""
    return all(name.startswith(_OUTER) for name in names) and any(
        name.removeprefix(_OUTER).startswith(_ROOTS) for name in names
    )


def _opened(folder: Path) -> dict[str, Callable[[], Tensor]]:
    """Readers of the folder's tensors, by name."""
    if files := _files(folder, SAFE):
        return {name: read for file in files for name, read in _safe(file).items()}
    if files := _files(folder, PICKLED):
        return {name: read for file in files for name, read in _pickled(file).items()}
    for below in checkpoints_below(folder):
        if any(_files(below, file) for file in (SAFE, PICKLED)):
            raise InvalidInput("import_below", folder=folder, below=below)
    raise InvalidInput("import_weights", folder=folder, file=SAFE)


def _files(folder: Path, name: str) -> list[Path]:
    """The file of that name, or the parts that its index lists."""
    index = folder / f"{name}.index.json"
    if (folder / name).is_file():  # an index beside it is of an earlier time
        return [folder / name]
    if not index.is_file():
        return []
    try:
        parts = sorted(set(read_json(index)["weight_map"].values()))
    except (KeyError, AttributeError, TypeError) as error:
        raise InvalidInput("import_json", file=index.name, problem=error) from None
    for part in parts:
        if Path(part).name != part or not (folder / part).is_file():
            raise InvalidInput("import_weights", folder=folder, file=part)
    return [folder / part for part in parts]


def _safe(file: Path) -> dict[str, Callable[[], Tensor]]:
    refuse_pointer(file)
    try:
        opened = safe_open(file, framework="pt")
        return {name: lambda name=name: opened.get_tensor(name) for name in _names(opened)}  # type: ignore[misc]
    except SafetensorError:
        raise InvalidInput("import_format", file=file.name) from None


def _names(opened) -> Iterable[str]:
    return opened.keys()


def _pickled(file: Path) -> dict[str, Callable[[], Tensor]]:
    """A pickle of tensors and nothing else: torch refuses to run anything in it."""
    refuse_pointer(file)
    try:
        weights = torch.load(file, map_location="cpu", weights_only=True)
        if not all(isinstance(value, Tensor) for value in weights.values()):
            raise ValueError("not only tensors")
    except Exception:  # whatever is in it
        raise InvalidInput("import_pickle", file=file.name) from None
    return {name: lambda value=value: value for name, value in weights.items()}  # type: ignore[misc]
