"""Description of a model for a page, beside its graphs: names, shapes, limits, special ids, words; plain JSON.

The rules of decoding and reading stand in `model/decode/` and `model/checkpoint/length_limit.py`; this hands on their
numbers, so that a page counts as the app does.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import UNTRAINED_TOKENS, readable_tokens
from model.config import TransformerConfig
from model.decode.decoding_loop import REPEATS
from model.decode.translate import CONTINUATION, UNTRAINED_LIMIT
from model.graph.analyses import analyses_of
from model.graph.export import Shape
from model.graph.traced_passes import cached_names, layer_counts, norm_names, patch_places, scale_shape
from model.tokenization.tokenizer import BOS, CHARACTER_LIMIT, EOS, PAD, UNK
from model.trace import ATTENTION_KINDS

FORMAT = 1
# what a page says of a model: fields of its card, where it has them
_CARD = (
    "task", "source_language", "target_language", "examples", "example_translation", "first_look", "covers", "scores",
    "parameters", "imported", "variant_of", "ordinary",
)  # fmt: skip


def describe(checkpoint: Checkpoint, card: Mapping[str, Any], values: dict[str, Shape]) -> dict[str, Any]:
    """The description of a model with this card whose pass has these values.

    format      of this description
    config      the fields of its TransformerConfig
    kinds       every kind of attention, in the order of `head_scale`
    layers      how many layers have each kind of attention that the model has
    headScale   the shape of `head_scale` for one pass: kinds, layers, heads
    patched     recorded names of the streams of which rows can be replaced, in the order of `patch`
    values      [recorded name, shape] in the order of the pass; "S" and "T" are lengths
    norms       names of the outputs beside them: ‖v W^O‖ of each head and token of an attention, [H, K]
    analyses    names of what a page may compute of recorded values
    cached      names of the keys and values that decoding keeps
    specials    ids of `<pad>`, `<bos>`, `<eos>`, `<unk>`
    reading     characters and tokens that a sentence may have, specials included
    decoding    see `_decoding`
    card        what the checkpoint says about itself

    The file of a model whose outputs a measured rule marks has `doubt` too, as `doubt_score.described` writes it, and
    where gradients can be asked for `gradient`, as `gradient_graph.described` writes it.
    """
    config = checkpoint.model.config
    return {
        "format": FORMAT,
        "name": checkpoint.name,
        "trained": checkpoint.trained,
        "config": asdict(config),
        "kinds": ATTENTION_KINDS,
        "layers": layer_counts(config),
        "headScale": scale_shape(config),
        "patched": patch_places(config),
        "values": list(values.items()),
        "norms": norm_names(config),
        "analyses": list(analyses_of(config)),
        "cached": cached_names(config),
        "specials": {"pad": PAD, "bos": BOS, "eos": EOS, "unk": UNK},
        "reading": {"characters": CHARACTER_LIMIT, "tokens": _tokens(config, checkpoint.trained)},
        "decoding": _decoding(config, checkpoint.trained),
        "card": {field: card[field] for field in _CARD if field in card},
    }


def _tokens(config: TransformerConfig, trained: bool) -> int:
    longest = readable_tokens(config)
    return longest if trained else min(longest, UNTRAINED_TOKENS)


def _decoding(config: TransformerConfig, trained: bool) -> dict[str, Any]:
    """The numbers of `model/decode/`.

    limit          tokens that are written at most, of an encoder-decoder
    continuation   tokens that a decoder alone adds at least and at most to a prompt
    longest        tokens that prompt and continuation have at most
    forced         ids with which every output begins
    repeats        [tokens of a phrase, repetitions that count as a loop]
    """
    longest = readable_tokens(config)
    return {
        "limit": (longest if trained else min(longest, UNTRAINED_LIMIT)) - 1,
        "continuation": CONTINUATION,
        "longest": longest,
        "forced": config.forced,
        "repeats": list(REPEATS.items()),
    }
