"""How each family names its tensors and fields, and what has to be folded into the weights to fit our model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.pretrained.converted import Converted, Fields
    from model.pretrained.tensors import Tensors


@cache
def families() -> dict[str, Callable[[Fields, Tensors], Converted]]:
    """How to convert each `model_type`: what the modules of this folder name in `FAMILIES`."""
    modules = [import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)]
    return {name: convert for module in modules for name, convert in getattr(module, "FAMILIES", {}).items()}
