"""What one page may ask another to show, by its controls."""

from __future__ import annotations

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
