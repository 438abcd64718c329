"""What one page may ask another to show, by its controls."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode

from model.errors import InvalidInput

# of each browser's own address, and not of a view that is shown to others
OWN = ("language", "visible", "embed", "embed_options")
_VIEW = re.compile(r"/?([a-z]*)(?:\?(.*))?", re.DOTALL)

# those that the settings of a run can make, with the settings that do
TRAINABLE: dict[str, dict[str, object]] = {
    "norm_ignored": {"task": "reverse", "norm": "none", "encoder_layers": 4, "decoder_layers": 4},
    "no_causal_mask": {"task": "reverse", "causal_mask": False},
    "unscaled_embedding": {"task": "reverse", "scale_embedding": False},
    # the system that has this init, in the task's own size and training
    "unfit_init": {
        "task": "reverse", "preset": "pre-norm", "d_model": 64, "heads": 4, "encoder_layers": 2, "decoder_layers": 1,
        "d_ff": 192, "position_base": 50.0, "dropout": 0.0, "learning_rate": 0.004, "warmup": 100,
        "schedule": "cosine", "label_smoothing": 0.0,
    },
}  # fmt: skip


END, START = "end", "0"  # moments of every model that was trained
FRESH = dict.fromkeys(("moment", "other_moment", "other_changes", "other_head", "reads", "pin"))  # nothing left over


def view_of(text: str) -> str:
    """A view as it is kept, `attention?head=3`, from an address below the app's own; raises `InvalidInput`."""
    found = _VIEW.fullmatch(text.strip())
    if found is None:
        raise InvalidInput("room_view")
    settings = [(key, value) for key, value in parse_qsl(found[2] or "") if key not in OWN]
    return f"{found[1]}?{urlencode(settings)}" if settings else found[1]
