"""Whether a run can be trained: its values, its limits, its sentence."""

import math
from typing import get_args, get_type_hints

from corpora.tasks import sequences
from model.errors import InvalidInput
from model.train.cost_estimate import Estimate, estimated
from model.train.data import Prepared, prepare
from model.train.limits import LIMITS, Limits
from model.train.model_config import HEADROOM
from model.train.run_settings import DEFAULTS, SENTENCES, RunSettings, check_preset
from model.train.trainer import Schedule

_RANGES: dict[str, tuple[float, float]] = {
    "d_model": (2, 512),
    "heads": (1, 64),
    "key_value_heads": (0, 64),
    "encoder_layers": (0, 12),
    "decoder_layers": (1, 12),
    "d_ff": (1, 4096),
    "position_base": (2, 1e6),
    "dropout": (0, 0.9),
    "learning_rate": (1e-6, 0.1),
    "label_smoothing": (0, 0.9),
    "weight_decay": (0, 10),
    "average": (0, 0.9999),
    "seed": (0, 2**31 - 1),
    "letters": (2, sequences.LONGEST),
    "sentences": (1, SENTENCES),
}


def check(settings: RunSettings, limits: Limits = LIMITS) -> Estimate:
    """Raise `InvalidInput` for invalid settings and exceeded limits; return the estimate of the run."""
    _check_values(settings, limits)
    data = prepare(settings)
    estimate = estimated(settings, data)
    if estimate.parameters > limits.parameters:
        raise InvalidInput("run_parameters", count=f"{estimate.parameters:,}", limit=f"{limits.parameters:,}")
    if estimate.seconds > limits.seconds:
        raise InvalidInput(
            "run_seconds", minutes=math.ceil(estimate.seconds / 60), limit=f"{limits.seconds / 60:g}"
        )  # fmt: skip
    if settings.sentence:
        check_sentence(settings, data)
    return estimate


def _check_values(settings: RunSettings, limits: Limits) -> None:
    if settings.task not in DEFAULTS:
        raise InvalidInput("run_task", task=settings.task, choices=", ".join(DEFAULTS))
    if settings.preset:
        check_preset(settings.task, settings.preset)
    if settings.schedule not in get_args(Schedule):
        raise InvalidInput(
            "config_choice", field="schedule", value=settings.schedule, choices=", ".join(get_args(Schedule))
        )
    ranges = _RANGES | {
        "steps": (1, limits.steps),
        "warmup": (0, settings.steps),
        "tokens_per_batch": (100, limits.tokens_per_batch),
    }
    hints = get_type_hints(RunSettings)
    for field, (least, most) in ranges.items():
        value = getattr(settings, field)
        kinds = int if hints[field] is int else (int, float)
        # the comparison also refuses what is not a number
        if not isinstance(value, kinds) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidInput("run_range", field=field, value=value, least=f"{least:g}", most=f"{most:,}")
    if not settings.alone and not settings.encoder_layers:
        raise InvalidInput("run_range", field="encoder_layers", value=0, least=1, most=12)


def check_sentence(settings: RunSettings, data: Prepared) -> None:
    """Raise `InvalidInput` for a probe sentence that is empty or too long for the model."""
    ids = data.tokenizer.encode(settings.sentence)
    limit = max(data.longest) + HEADROOM
    if len(ids) == 2:
        raise InvalidInput("sentence_empty")
    if len(ids) > limit:
        raise InvalidInput("sentence_tokens", count=len(ids), limit=limit)
