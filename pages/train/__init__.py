"""The page /train: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="try",
    place=30,
    settings="activation architecture average beside causal_mask d_ff d_model decoder_layers details dropout "
    "encoder_layers gated heads key_value_heads label_smoothing learning_rate letters moment norm "
    "norm_kind position position_base preset run scale_embedding schedule sentences shuffled task "
    "tokens_per_batch tour training_seed training_steps warmup watch weight_decay",
    sidebar="language",
    needs="nothing",
    saves="page",
)
