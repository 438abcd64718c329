"""The twins of a mistake for a given model: with its weights, without the mistake and with it.

If the mistake cannot be made in that model, a small model with random weights is used instead.
"""

from dataclasses import replace

from model.config import TransformerConfig
from model.errors import InvalidInput
from model.mistakes.known_mistakes import MISTAKES, SMALL, Mistake
from model.mistakes.metrics import Sample, Twin, sharing
from model.transformer import Transformer

# fields that a config must have so that the mistake is possible
NEEDED: dict[str, dict[str, object]] = {
    "inverted_frequency": {"position": "sinusoidal"},
    "norm_ignored": {"norm": "pre"},
    "unscaled_embedding": {"scale_embedding": True, "position": "sinusoidal"},
}
SIDES = {  # stacks that the model must have
    "no_causal_mask": ("decoder",),
    "no_padding_mask": ("encoder",),
    "finite_fill": ("encoder",),
    "same_ids": ("encoder", "decoder"),
}
GIVEN = ("dropout", "mask_fill", "norm_kind")  # needs that any weights can be given
LONGEST = 512  # tokens that a stand-in reads


def obstacle(mistake: Mistake, config: TransformerConfig) -> str | None:
    """Why the mistake cannot be made in a model of this config: a field of it, "drawn" or "raises"; None if it can."""
    if mistake.raises:
        return "raises"
    if "init" in mistake.change:
        return "drawn"  # it is in the weights that a model starts with
    if "norm_kind" in mistake.needs and config.norm_kind == "rms":  # which has other weights
        return "norm_kind"
    for field, value in NEEDED.get(mistake.key, {}).items():
        if getattr(config, field) != value:
            return field
    if not all(config.layers(side) for side in SIDES.get(mistake.key, ())):
        return "architecture"
    return None


def twins_in(mistake: Mistake, model: Transformer) -> tuple[Twin, Twin]:
    """The healthy and the broken twin. They share the weights of `model` and do not change them.

    Raises `InvalidInput` if there is an `obstacle`.
    """
    config = model.config
    if field := obstacle(mistake, config):
        raise InvalidInput(
            "config_conflict", first="mistake", second=field, fix=f"another model than one for {mistake.key}"
        )
    fields = {field: value for field, value in mistake.needs.items() if field in GIVEN}
    sound = replace(config, **fields)  # type: ignore[arg-type]
    change = dict(mistake.change)
    if change.get("norm") == "none":
        change["final_norm"] = False
    wrong = replace(sound, **change)  # type: ignore[arg-type]
    return Twin(sharing(model, sound)), Twin(sharing(model, wrong), mistake.edits(wrong), mistake.same_ids, broken=True)


def stand_in(mistake: Mistake, vocabulary: int, seed: int = 0) -> tuple[Twin, Twin]:
    """The twins of a small untrained model with a vocabulary of that size, so that it can read the same sentence."""
    base = SMALL if mistake.learns else mistake.config
    config = replace(base, source_vocabulary=vocabulary, target_vocabulary=vocabulary, max_length=LONGEST)
    if mistake.learns:  # nothing is learned here, so that any size will do
        healthy, _ = MISTAKES["softmax_axis"].twins(config, seed=seed)
        return twins_in(mistake, healthy.model)
    return mistake.twins(config, seed=seed)


def sample(twin: Twin, source: list[int], target: list[int]) -> Sample:
    """Input of both twins, cut to what the model holds; a side that was not written reads what the other one does."""
    longest = twin.model.config.max_length
    return Sample(tuple((source or target)[:longest]), tuple((target or source[:-1])[:longest]))
