"""The recorded names of a config are those that its pass records."""

import pytest
import torch

from model.edit.recorded_names import names
from model.trace import Recorder
from tests.model.edit.small import CONFIGS, SOURCE, TARGET, built


@pytest.mark.parametrize("kind", CONFIGS)
def test_the_names_are_those_that_a_recorder_sees(kind: str) -> None:
    model, recorder, config = built(kind), Recorder(), CONFIGS[kind]
    source = SOURCE.float() if config.inputs == "numbers" else SOURCE
    with torch.inference_mode():
        model(
            source if config.encoder_layers else None, TARGET if config.decoder_layers else None, SOURCE > 0, recorder
        )
    assert tuple(recorder.values) == names(config)
