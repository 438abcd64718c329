"""A decoder alone with weights set by hand: which token causes what can be worked out on paper.

Vocabulary: the four specials, then a, b, c. Each token is a unit vector of d_model 8, positions add nothing, no norms,
and the feed-forward adds 0. The one head looks at all tokens alike (q = k = 0) and passes on the unit of b alone, three
times over; the output layer writes `a` from that number and nothing else. So only tokens `b` cause an `a`, and each of
n tokens that are read gets the weight 1 / n.
"""

import torch

from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.recorded_pass import trace
from model.decode.translate import Translation
from model.tokenization.tokenizer import BOS, Tokenizer
from model.transformer import Transformer

A, B, C = 4, 5, 6
GAIN = 3.0
CONFIG = TransformerConfig(
    architecture="decoder",
    target_vocabulary=7,
    d_model=8,
    heads=1,
    encoder_layers=0,
    decoder_layers=1,
    d_ff=1,
    norm="none",
    position="none",
    scale_embedding=False,
)


def copier() -> Checkpoint:
    """The model with its tokenizer of letters."""
    model = Transformer(CONFIG).eval().requires_grad_(False)
    for parameter in model.parameters():
        parameter.zero_()
    model.target_embedding.weight[:, :7] = torch.eye(7)
    attention = model.decoder[0].self_attention
    attention.v.weight[7, B] = GAIN
    attention.output.weight[7, 7] = 1.0
    model.output.weight[A, 7] = 1.0
    return Checkpoint("copier", model, Tokenizer.words(["a b c"], ["a", "b", "c"]))


def passed(checkpoint: Checkpoint, *tokens: int) -> Translation:
    """The pass over `<bos>` and these tokens."""
    target = (BOS, *tokens)
    recording = trace(checkpoint.model, checkpoint.tokenizer, (), target)
    return Translation("a b c", "", "limit", (), target, recording, {}, ())
