"""The starting weights of a model, and how many it has."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn
from torch.overrides import TorchFunctionMode


def initialise(model: nn.Module, init: str, d_model: int) -> None:
    """Starting weights, by the config's `init`; norms start at 1 and 0, biases at 0.

    scaled   tables N(0, 1/d_model), so that a scaled embedding has variance 1; Xavier elsewhere
    xavier   Xavier everywhere, the row of padding zero
    normal   tables N(0, 1), as torch's nn.Embedding; Xavier elsewhere
    small    everything N(0, 0.02²)
    """
    deviation = {"scaled": d_model**-0.5, "normal": 1.0, "small": 0.02}
    for name, parameter in model.named_parameters():
        embedding = name.endswith("embedding.weight")
        table = embedding or name.startswith(("position_tables", "relative_bias"))
        if parameter.dim() == 1:
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
        elif init == "small" or (table and init != "xavier"):
            nn.init.normal_(parameter, std=deviation[init])
        else:
            nn.init.xavier_uniform_(parameter)
        if embedding and init == "xavier":
            with torch.no_grad():
                parameter[0] = 0.0


class _Undrawn(TorchFunctionMode):
    """Leaves out what `torch.nn.init` would write."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if getattr(function, "__module__", "") == nn.init.__name__:
            return kwargs["tensor"] if "tensor" in kwargs else args[0]
        return function(*args, **kwargs)


@contextmanager
def shapes_only() -> Iterator[None]:
    """A model made in here has parameters with shapes and without values.

    Drawing values on the device "meta" would import torch's compiler, for 1.3 s. Test: tests/house/test_imports.py.
    """
    with torch.device("meta"), _Undrawn():
        yield


def count_parameters(model: nn.Module) -> dict[str, int]:
    """Parameters by part of the model, shared ones once, with the total last."""
    parts: dict[str, int] = {}
    for name, parameter in model.named_parameters():
        part = name.split(".")[0].removesuffix("_norm")
        parts[part] = parts.get(part, 0) + parameter.numel()
    return {**parts, "total": sum(parts.values())}


_drawing = threading.Lock()


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """A model made in here has the weights of that seed, whatever other threads draw from torch's one generator."""
    with _drawing, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
