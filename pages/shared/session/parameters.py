"""The names of the settings that each page reads from its address. A link with another name gets a notice."""

SETTINGS = {
    page: frozenset(names.split())
    for page, names in {
        "start": "paused pin tour",
        "course": "compared factor forced moment pin read step token without",
        "sheet": "camera cell changes film shown tour",
        "primer": "asked d_k keys likeness measure normalise query_a query_b sample_seed sharpness show similarity "
        "size tour value_apple value_banana value_chair vector_seed weight_apple weight_banana weight_chair",
        "embedding": "also axes dimension frequency minus moment padding part plus rows show side step token tour word",
        "position": "base bases column d_model extra from length letters m method n pairs row shift show tour "
        "wavelength window worked_base",
        "energy": "d_model show side tour unscaled",
        "masks": "added leak_at leak_word query row sentence_b sentence_c sentence_d show target tour",
        "attention": "factor key measure other pin query side stage tour upto view",
        "layers": "batch context_a context_b depth every norm shared show side stack_norm step sublayer token tour",
        "decoding": "alpha beam beside cell draw dropped forks given k leaf step temperature top_k top_p tour view way "
        "word",
        "intervene": "by changes depth from how mask other padding part pin query reach reader scaling show side step "
        "to token tour way weights what word",
        "why": "bars method rather show step tour",
        "break": "beside case look mistake show tour word",
        "train": "activation architecture average beside causal_mask d_ff d_model decoder_layers details dropout "
        "encoder_layers gated heads key_value_heads label_smoothing learning_rate letters moment norm norm_kind "
        "position position_base preset run scale_embedding schedule sentences shuffled task tokens_per_batch tour "
        "training_seed training_steps warmup watch weight_decay",
        "circuits": "role show tour way",
        "llm": "about decoder_only gated grouped pre_norm rms_norm rotary show tour",
        "compare": "follow measure moment only other other_changes other_head other_moment pin reads runs show tour",
        "forecast": "as at_head at_layer day epochs model rate seed_run series show shown start tour",
        "quiz": "factor numbers only pin question set base tour",
        "glossary": "find show term",
        "checkpoints": "card show topic tour",
        "class": "lesson room show",
    }.items()
}
CELL = "_cell"  # at the end of a matrix's name: the cell that is pinned there
# what other sites add to a link; WeChat adds the last four, of which `from` is a setting of two pages
TRACKING = ("utm_", "fbclid", "gclid", "msclkid", "from", "isappinstalled", "nsukey", "scene")


def is_known(page: str, name: str) -> bool:
    """Whether `page` reads a setting of that name."""
    return page not in SETTINGS or name in SETTINGS[page] or name.endswith(CELL)


def unknown(page: str, names: list[str]) -> list[str]:
    """Those of the names that neither this page reads nor another site adds."""
    return [name for name in names if not is_known(page, name) and not is_tracking(name)]


def is_tracking(name: str) -> bool:
    """Whether another site has added a parameter of that name."""
    return name.lower().startswith(TRACKING)
