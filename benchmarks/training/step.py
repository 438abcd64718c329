"""A training step of our model ÷ the same step of one built from `torch.nn.Transformer`.

Both are the default of /train (dates): the same weights, batches, loss, clipping, optimizer and running average;
only attention, feed-forward parts, norms and residuals are computed by our layers in one and by torch's in the other.
"""

import warnings
from fractions import Fraction

import torch
from torch import Tensor, nn

from benchmarks.harness.timing import Row, medians, seconds
from benchmarks.model_speed import copy_layers
from model.trace import Tap, silent
from model.train import data, model_config, run_settings
from model.train.run_settings import DEFAULTS
from model.train.trainer import Trainer
from model.transformer import Transformer

STEPS, WARM_UP = 150, 10


class TorchTransformer(nn.Module):
    """Our embedding, positions and output layer round torch's stacks, with a copy of our weights."""

    def __init__(self, ours: Transformer):
        super().__init__()
        config = self.config = ours.config
        self.ours = Transformer(config)
        self.ours.load_state_dict(ours.state_dict())
        with warnings.catch_warnings(action="ignore"):  # pre-norm has no nested tensors, says torch
            self.stacks = nn.Transformer(
                config.d_model, config.heads, config.encoder_layers, config.decoder_layers, config.d_ff,
                config.dropout, config.activation, batch_first=True, norm_first=config.norm == "pre",
            )  # fmt: skip
        with torch.no_grad():
            copy_layers(ours, self.stacks)
        self.stacks.encoder.norm.load_state_dict(ours.encoder_norm.state_dict())
        self.stacks.decoder.norm.load_state_dict(ours.decoder_norm.state_dict())
        self.ours.encoder, self.ours.decoder = nn.ModuleList(), nn.ModuleList()  # torch's take their place
        self.ours.encoder_norm, self.ours.decoder_norm = nn.Identity(), nn.Identity()

    def forward(self, source: Tensor, target: Tensor, source_mask: Tensor, tap: Tap = silent) -> Tensor:
        length = target.shape[1]
        future = torch.ones(length, length, dtype=torch.bool).triu(1)  # true where nothing may be seen
        read = self.ours.embed("encoder", source, 0, silent), self.ours.embed("decoder", target, 0, silent)
        padding = ~source_mask
        masks = {"tgt_mask": future, "src_key_padding_mask": padding, "memory_key_padding_mask": padding}
        return self.ours.output(self.stacks(*read, **masks, tgt_is_causal=True))


def training_step() -> list[Row]:
    """Each in turn on the same batches, one thread."""
    torch.set_num_threads(1)
    ours, theirs = (trainer(kind) for kind in ("ours", "torch"))
    steps = [each.updates() for each in (ours, theirs)]
    first = [next(each).loss for each in steps]
    if abs(first[0] - first[1]) > 1e-4:
        raise RuntimeError(f"torch's model computes something else: {first}")
    calls = [lambda each=each: seconds(lambda: next(each)) for each in steps]
    medians(*calls, WARM_UP)
    a, b = medians(*calls, STEPS)
    return [Row("training step of dates ÷ torch.nn.Transformer", a, b, Fraction(1))]


def trainer(kind: str) -> Trainer:
    """The default run's, of our model or of torch's."""
    settings = DEFAULTS["dates"]
    content = data.prepare(settings)
    config = model_config.config(settings, content)
    torch.manual_seed(settings.seed)
    model: nn.Module = Transformer(config)
    if kind == "torch":
        model = TorchTransformer(model)  # type: ignore[arg-type]
    return Trainer(
        model,  # type: ignore[arg-type]
        run_settings.training(settings),
        lambda epoch: data.examples(config, content, epoch),
        [],
    )
