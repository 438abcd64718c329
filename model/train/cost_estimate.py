"""Estimated cost of a run on one core: parameters, seconds, bytes."""

from dataclasses import dataclass

from model.initial_weights import count_parameters, shapes_only
from model.train.data import Prepared
from model.train.model_config import config
from model.train.run_settings import RunSettings
from model.transformer import Transformer


@dataclass(frozen=True)
class Estimate:
    """Parameters, and about how many seconds and bytes the run takes on one core."""

    parameters: int
    seconds: float
    memory: int


def estimated(settings: RunSettings, data: Prepared) -> Estimate:
    """Counted parameters; seconds and bytes from what a step does, with constants measured on one core.

    A parameter of a matrix costs 6 operations for each token that passes it, forward and backward; reading
    and writing activations, and starting each of a layer's operations, cost the rest.
    """
    shape = config(settings, data)
    with shapes_only():
        parts = count_parameters(Transformer(shape))
    share = 0 if settings.alone else data.mean[0] / sum(data.mean)
    batch = min(settings.tokens_per_batch, data.epoch)
    tokens = {"encoder": batch * share, "decoder": batch * (1 - share)}
    operations = 6 * sum(tokens[side] * parts.get(side, 0) for side in tokens)
    operations += 6 * tokens["decoder"] * parts.get("output", shape.d_model * shape.target_vocabulary)
    layers = {"encoder": shape.encoder_layers, "decoder": 1.5 * shape.decoder_layers}
    keys = {"encoder": data.mean[0], "decoder": sum(data.mean) / 1.5}
    values = sum(
        tokens[side] * layers[side] * (14 * shape.d_model + 3 * shape.d_ff + 6 * shape.heads * keys[side])
        for side in tokens
    )
    values += 3 * tokens["decoder"] * shape.target_vocabulary
    step = _OVERHEAD * (1 + sum(layers.values())) + operations / _OPERATIONS + values / _VALUES
    step += parts["total"] * _UPDATE
    memory = 4 * (5 * parts["total"] + round(values))
    return Estimate(parts["total"], settings.steps * step * 1.5 + 0.5, memory)


# one core: seconds to start a layer's operations, operations and values per second, seconds to update a parameter
_OVERHEAD, _OPERATIONS, _VALUES, _UPDATE = 4.5e-4, 7.5e10, 1.5e9, 3e-9
