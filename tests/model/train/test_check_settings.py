"""Settings that cannot be trained are refused with a sentence."""

import math
from dataclasses import replace

import pytest

from model.errors import InvalidInput
from model.train import check_settings
from model.train.limits import Limits
from tests.model.train.small import TINY

REFUSED = [
    ("run_task", {"task": "chess"}, Limits()),
    ("run_range", {"steps": 0}, Limits()),
    ("run_range", {"steps": 101}, Limits(steps=100)),
    ("run_range", {"learning_rate": math.nan}, Limits()),
    ("run_range", {"learning_rate": 1.0}, Limits()),
    ("run_range", {"warmup": 25}, Limits()),
    ("run_range", {"tokens_per_batch": 50_000}, Limits()),
    ("run_range", {"d_model": 4096}, Limits()),
    ("run_range", {"d_model": 16.0}, Limits()),
    ("run_range", {"seed": -1}, Limits()),
    ("run_range", {"encoder_layers": 0}, Limits()),
    ("config_choice", {"schedule": "linear"}, Limits()),
    ("config_choice", {"activation": "tanh"}, Limits()),
    ("config_heads", {"heads": 3}, Limits()),
    ("config_odd", {"d_model": 15, "heads": 1}, Limits()),
    ("run_preset", {"preset": "bert"}, Limits()),
    ("preset_unknown", {"preset": "nothing"}, Limits()),
    ("run_parameters", {}, Limits(parameters=1000)),
    ("run_seconds", {"steps": 20_000}, Limits(seconds=10)),
    ("sentence_tokens", {"sentence": "wo " * 30}, Limits()),
    ("own_few", {"task": "own", "own": "a\tb"}, Limits()),
    ("text_short", {"task": "text", "own": "a"}, Limits()),
]


@pytest.mark.parametrize(("code", "changes", "limits"), REFUSED)
def test_what_exceeds_a_limit_is_refused_in_words(code: str, changes: dict, limits: Limits) -> None:
    with pytest.raises(InvalidInput) as error:
        check_settings.check(replace(TINY, **changes), limits)
    assert error.value.code == code
