"""The systems of the tutorials, the paper, GPT, BERT and T5: each a config of the one model.

Sizes are those of the source; where a source leaves the vocabulary open, ours stands in. Needs no
torch, so that the list is there at once.
"""

from dataclasses import dataclass, replace

from model.config import TransformerConfig
from model.errors import InvalidInput

SUBWORDS = 3600  # our sample tokenizer's size, where a source names none


@dataclass(frozen=True)
class Preset:
    """One system: its name here, its letter in docs/systems.md, and its config."""

    name: str
    source: str
    config: TransformerConfig


PRESETS = {
    preset.name: preset
    for preset in [
        Preset(
            "paper",
            "E",
            TransformerConfig(source_vocabulary=37_000, target_vocabulary=37_000, tied_embeddings="all"),
        ),
        Preset(
            "pre-norm",
            "B",
            TransformerConfig(
                source_vocabulary=SUBWORDS,
                target_vocabulary=SUBWORDS,
                norm="pre",
                output_bias=True,
                init="normal",
                max_length=5000,
            ),
        ),
        Preset(
            "notebook",
            "C",
            TransformerConfig(
                source_vocabulary=42,
                target_vocabulary=42,
                d_model=256,
                d_ff=512,
                final_norm=True,
                activation="gelu",
                projection_bias=False,
                output_bias=True,
                init="xavier",
                mask_fill="-1e9",
                max_length=20,
            ),
        ),
        Preset(
            "textbook",
            "D",
            TransformerConfig(
                source_vocabulary=SUBWORDS,
                target_vocabulary=SUBWORDS,
                d_model=256,
                heads=4,
                encoder_layers=4,
                decoder_layers=4,
                d_ff=256,
                norm="pre",
                norm_kind="textbook",
                final_norm=True,
                projection_bias=False,
                feed_forward_bias=False,
                scale_embedding=False,
                init="small",
            ),
        ),
        Preset(
            "mini-encoder",
            "A",
            TransformerConfig(
                architecture="encoder",
                source_vocabulary=50,
                d_model=16,
                heads=1,
                encoder_layers=1,
                decoder_layers=0,
                d_ff=32,
                scale_embedding=False,
                init="normal",
                dropout=0.0,
            ),
        ),
        Preset(
            "bert",
            "D",
            TransformerConfig(
                architecture="encoder",
                source_vocabulary=SUBWORDS,
                target_vocabulary=SUBWORDS,
                d_model=128,
                heads=4,
                encoder_layers=4,
                decoder_layers=0,
                d_ff=512,
                activation="gelu",
                output_bias=True,
                position="learned",
                scale_embedding=False,
                init="small",
                tied_embeddings="target",
            ),
        ),
        Preset(
            "gpt",
            "D",
            TransformerConfig(
                architecture="decoder",
                target_vocabulary=SUBWORDS,
                d_model=128,
                heads=4,
                encoder_layers=0,
                decoder_layers=4,
                d_ff=512,
                norm="pre",
                final_norm=True,
                activation="gelu",
                position="learned",
                scale_embedding=False,
                init="small",
                tied_embeddings="target",
                max_length=128,
            ),
        ),
        # T5 also has learned biases for relative positions and an RMSNorm, for which ours stand in
        Preset(
            "t5",
            "D",
            TransformerConfig(
                source_vocabulary=SUBWORDS,
                target_vocabulary=SUBWORDS,
                d_model=128,
                heads=4,
                encoder_layers=4,
                decoder_layers=4,
                d_ff=512,
                norm="pre",
                final_norm=True,
                projection_bias=False,
                feed_forward_bias=False,
                tied_embeddings="all",
            ),
        ),
        Preset(
            "forecaster",
            "C2",
            TransformerConfig(
                architecture="encoder",
                inputs="numbers",
                target_vocabulary=1,
                d_model=200,
                heads=10,
                encoder_layers=2,
                decoder_layers=0,
                d_ff=2048,
                output_bias=True,
                scale_embedding=False,
                causal_encoder=True,
            ),
        ),
    ]
}


def find(name: str) -> Preset:
    """The preset of that name."""
    if name not in PRESETS:
        raise InvalidInput("preset_unknown", name=name, choices=", ".join(PRESETS))
    return PRESETS[name]


def with_vocabulary(config: TransformerConfig, size: int) -> TransformerConfig:
    """The same system reading and writing `size` tokens, where it has tokens at all."""
    if config.inputs == "numbers":
        return config
    source = size if config.source_vocabulary else 0
    return replace(config, source_vocabulary=source, target_vocabulary=size if config.target_vocabulary else 0)
