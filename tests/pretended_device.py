"""A device that is pretended: its tensors lie on the CPU, but behave as if they did not.

On a machine without a GPU, this finds what would raise on one: an operation that mixes devices, `.numpy()` of a value
that is elsewhere, a CPU generator for numbers that are drawn elsewhere. All numbers are real. What it cannot show are
speed, memory, and the rounding of another device's kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

NAME = "cuda"
DEVICE = torch.device(NAME)
_CPU = torch.device("cpu")
_INDEXING = {"index", "index_put", "index_put_", "_unsafe_index", "_index_put_impl_"}  # indices may be on the CPU
_CROSSING = {"copy_"}
_STRICT = {"searchsorted"}  # takes not even a single number from another device
_DEVICE_OF = Tensor.device.__get__  # type: ignore[attr-defined]
_TO_NUMPY = {Tensor.numpy, Tensor.__array__, Tensor.__dlpack__}


class WrongDevice(RuntimeError):
    """Error that torch would raise on a machine that has the device."""


class _Move(torch.autograd.Function):
    """A copy to another device; its gradient goes back to the first."""

    @staticmethod
    def forward(context: Any, x: Tensor, elsewhere: Elsewhere, there: bool) -> Tensor:
        context.elsewhere, context.back = elsewhere, elsewhere.has(x)
        return elsewhere.marked(x.clone(), there)

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return context.elsewhere.marked(gradients[0].clone(), context.back), None, None


class Elsewhere:
    """Which storages are on the pretended device."""

    def __init__(self) -> None:
        self.storages: dict[int, StorageWeakRef] = {}  # a weak reference keeps the address from being used again

    def has(self, x: Tensor) -> bool:
        return x.layout == torch.strided and not x.is_meta and x.untyped_storage()._cdata in self.storages

    def marked(self, x: Tensor, there: bool) -> Tensor:
        storage = x.untyped_storage()
        if there:
            self.storages[storage._cdata] = StorageWeakRef(storage)
        else:
            self.storages.pop(storage._cdata, None)
        return x

    def moved(self, x: Tensor, there: bool) -> Tensor:
        return x if self.has(x) == there or x.is_meta else _Move.apply(x, self, there)


class _Operations(TorchDispatchMode):
    """Refuses operations on tensors of both devices, and marks what comes out of them."""

    def __init__(self, elsewhere: Elsewhere):
        super().__init__()
        self.elsewhere = elsewhere

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.removeprefix("aten::")
        tensors = [x for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor) and not x.is_meta]
        there = [self.elsewhere.has(x) for x in tensors]
        if any(there) and not all(there) and name not in _CROSSING:
            self._check(name, args, tensors, there)
        result = func(*args, **(kwargs or {}))
        if any(there) and name not in _CROSSING:
            for x in tree_leaves(result):
                if isinstance(x, Tensor):
                    self.elsewhere.marked(x, True)
        return result

    def _check(self, name: str, args: Any, tensors: list[Tensor], there: list[bool]) -> None:
        free: list[Tensor] = []
        if name in _INDEXING and self.elsewhere.has(args[0]):
            free = [x for x in tree_leaves(args[1]) if isinstance(x, Tensor)]
        for x, on_device in zip(tensors, there, strict=True):
            number = x.dim() == 0 and name not in _STRICT
            if not on_device and not number and not any(x is each for each in free):
                raise WrongDevice(f"{name} of tensors on {NAME} and on the CPU, the latter {tuple(x.shape)}")


class _Functions(TorchFunctionMode):
    """Answers for the device of a tensor, moves tensors, makes new ones, refuses numpy."""

    def __init__(self, elsewhere: Elsewhere):
        super().__init__()
        self.elsewhere = elsewhere

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        first = args[0] if args and isinstance(args[0], Tensor) else None
        if first is not None and func == _DEVICE_OF:
            return DEVICE if self.elsewhere.has(first) else func(*args)
        if first is not None and self.elsewhere.has(first) and func in _TO_NUMPY:
            raise WrongDevice(f"cannot convert a tensor on {NAME} to numpy: copy it to the CPU first")
        if func is Tensor.__deepcopy__ and first is not None:
            there = self.elsewhere.has(first)
            return self.elsewhere.marked(func(*args, **kwargs), there)
        if func is Tensor.cpu:
            return self.elsewhere.moved(args[0], False)
        if func is Tensor.to and first is not None:
            return self._to(first, args[1:], kwargs)
        if (device := kwargs.get("device")) is not None and torch.device(device).type != "meta":
            there = torch.device(device) == DEVICE
            if there and kwargs.get("generator") is not None:
                raise WrongDevice("a generator of the CPU cannot draw elsewhere")
            result = func(*args, **kwargs | {"device": _CPU})
            return self.elsewhere.marked(result, there) if isinstance(result, Tensor) and there else result
        return func(*args, **kwargs)

    def _to(self, x: Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
        if args and isinstance(args[0], Tensor):
            there, rest = self.elsewhere.has(args[0]), (args[0].dtype,)
        else:
            devices = [each for each in args if isinstance(each, str | torch.device)]
            device = kwargs.pop("device", devices[0] if devices else None)
            if device is not None and torch.device(device).type == "meta":
                return Tensor.to(x, *args, **kwargs)
            there = self.elsewhere.has(x) if device is None else torch.device(device) == DEVICE
            rest = tuple(each for each in args if isinstance(each, torch.dtype))
        converted = Tensor.to(x, *rest, **kwargs) if rest or kwargs else x
        return self.elsewhere.moved(converted, there)


@contextmanager
def pretended() -> Iterator[Elsewhere]:
    """Within this, `torch.device("cuda")` can be used."""
    elsewhere = Elsewhere()
    with (
        patch("torch.cuda.is_available", lambda: True),
        patch("torch.cuda.device_count", lambda: 1),
        # a build for CUDA would ask the driver, which may be missing, what the real device does
        patch("torch.accelerator.current_accelerator", lambda check_available=False: None),
        _Operations(elsewhere),
        _Functions(elsewhere),
    ):
        yield elsewhere
