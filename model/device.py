"""The device on which models compute: `GLASSFORMER_DEVICE`, by default the CPU. Nothing else reads the variable.

Models are put there when they are loaded or built. What is recorded comes back to the CPU, so that analyses, pages and
files know nothing of it. torch is imported only where another device is named.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, TypeVar

from model.errors import InvalidInput

if TYPE_CHECKING:
    from torch import nn

    Model = TypeVar("Model", bound=nn.Module)

VARIABLE = "GLASSFORMER_DEVICE"
CPU = "cpu"
_KNOWN = re.compile(r"cpu|cuda(:\d+)?", re.ASCII)


def name() -> str:
    """The device as torch spells it: `cpu`, `cuda` or `cuda:1`. Raises `InvalidInput` for another word."""
    device = os.environ.get(VARIABLE, "").strip() or CPU
    if not _KNOWN.fullmatch(device):
        raise InvalidInput("device_unknown", name=device)
    return device


def check() -> None:
    """Raise `InvalidInput` for a device that torch does not know, or that this machine does not have."""
    device = name()
    if device == CPU:
        return
    import torch

    if not torch.cuda.is_available() or (torch.device(device).index or 0) >= torch.cuda.device_count():
        raise InvalidInput("device_missing", name=device)


def placed(model: Model) -> Model:
    """The model itself, moved to the device. Raises `InvalidInput` as `check` does."""
    check()
    return model.to(name())
