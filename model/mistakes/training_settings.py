"""The settings of a training that make a mistake, for those mistakes that settings can make. Needs no torch."""

from __future__ import annotations

# by the key of the mistake
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
