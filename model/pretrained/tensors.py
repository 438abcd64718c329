"""The tensors of a Hugging Face model folder: taken by name with the shape that is needed, the rest refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.errors import InvalidInput

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
# what torch.compile and parallel training put around a model or a part of it, as their names of tensors show
_WRAPPERS = frozenset({"_orig_mod", "module", "_fsdp_wrapped_module", "_checkpoint_wrapped_module", "_forward_module"})

# what names begin with where nothing is around the model; a module that keeps the model as `model` puts that before all
_ROOTS = (
    "model.", "lm_head.", "transformer.", "h.0.", "bert.", "roberta.", "distilbert.", "albert.", "electra.", "cls.",
    "gpt_neox.", "encoder.block.", "encoder.layer.", "transformer.layer.",
)  # fmt: skip
_OUTER = "model."
# heads for tasks that the app has not
_HEAD = re.compile(r"(.*?(?:pooler|seq_relationship|discriminator_predictions|sop_classifier))\.")


class Tensors:
    """Tensors by name; `take` hands one out, in single precision and checked, and `refuse_rest` names the others."""

    def __init__(self, folder: Path, progress: Callable[[int, int], None] = lambda done, total: None):
        self._read = _unwrapped(_opened(folder))
        self._taken: set[str] = set()
        self._progress = progress

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

    @property
    def heads_left_out(self) -> list[str]:
        """The heads that nothing was taken of, such as `bert.pooler`."""
        found = (_HEAD.match(name) for name in sorted(self._read.keys() - self._taken))
        return list(dict.fromkeys(match[1] for match in found if match))

    def refuse_rest(self, *known: str) -> None:
        """Raise `InvalidInput` for a tensor that was not taken and matches none of the patterns `known`."""
        for name in sorted(self._read.keys() - self._taken):
            if not any(re.fullmatch(pattern, name) for pattern in known):
                raise InvalidInput("import_extra", tensor=name)


def _unwrapped(read: dict[str, Callable[[], Tensor]]) -> dict[str, Callable[[], Tensor]]:
    """The tensors by the names that they have in the model itself. Raises `InvalidInput` where two are alike then."""
    result: dict[str, Callable[[], Tensor]] = {}
    for name, tensor in read.items():
        own = ".".join(part for part in name.split(".") if part not in _WRAPPERS)
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
    raise InvalidInput("import_weights", folder=folder, file=SAFE)


def _files(folder: Path, name: str) -> list[Path]:
    """The file of that name, or the parts that its index lists."""
    index = folder / f"{name}.index.json"
    if not index.is_file():
        return [folder / name] if (folder / name).is_file() else []
    try:
        parts = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    except (ValueError, KeyError, AttributeError) as error:
        raise InvalidInput("import_json", file=index.name, problem=error) from None
    for part in parts:
        if Path(part).name != part or not (folder / part).is_file():
            raise InvalidInput("import_weights", folder=folder, file=part)
    return [folder / part for part in parts]


def _safe(file: Path) -> dict[str, Callable[[], Tensor]]:
    try:
        opened = safe_open(file, framework="pt")
        return {name: lambda name=name: opened.get_tensor(name) for name in _names(opened)}  # type: ignore[misc]
    except SafetensorError:
        raise InvalidInput("import_format", file=file.name) from None


def _names(opened) -> Iterable[str]:
    return opened.keys()


def _pickled(file: Path) -> dict[str, Callable[[], Tensor]]:
    """A pickle of tensors and nothing else: torch refuses to run anything in it."""
    try:
        weights = torch.load(file, map_location="cpu", weights_only=True)
        if not all(isinstance(value, Tensor) for value in weights.values()):
            raise ValueError("not only tensors")
    except Exception:  # whatever is in it
        raise InvalidInput("import_pickle", file=file.name) from None
    return {name: lambda value=value: value for name, value in weights.items()}  # type: ignore[misc]
