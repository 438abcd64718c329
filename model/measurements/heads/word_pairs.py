"""Which words look for which words in a head of the first layer, as JSON. Nothing is saved: it takes seconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from model.errors import InvalidInput
from model.intervals import Estimate
from model.measurements.asked import CHECKPOINT, Asked, option
from model.measurements.measurement import Measurement

if TYPE_CHECKING:
    from model.analysis.residual_stream import Side
    from model.features.word_table import WordPair

DISTANCE = 1  # tokens from key to query, where positions rotate both
MOST = 20  # pairs


def _measure(asked: Asked) -> dict[str, Any]:
    from model.attribution.score_terms.pairs_in_sentences import together
    from model.attribution.score_terms.word_scores import word_scores
    from model.features.word_table import SEED, around, named, seen, strongest

    options, checkpoint = asked.options, asked.checkpoint
    config, side = checkpoint.model.config, _side(options.head)
    sides = [each for each in ("encoder", "decoder") if config.layers(each)]
    heads = [f"{each}.{head}" for each in sides for head in range(config.heads)]
    if options.head not in heads:
        raise InvalidInput("why_head", head=options.head, choices=", ".join(heads))
    head, words = int(options.head.partition(".")[2]), seen(asked.entry, checkpoint, side)
    told = {"sentences": len(words.sentences), "words": len(words.ids), "seed": SEED}
    if not len(words.ids):
        return told | {"pairs": []}
    scores = word_scores(checkpoint.model, side, words.ids, words.counts, options.distance)[head]
    is_causal = side == "decoder" or config.causal_encoder
    among = None if options.all else together(words, is_causal=is_causal)
    if options.word is None:
        return told | {"pairs": _told(strongest(checkpoint, side, head, scores, words, among, options.most))}
    place = named(checkpoint, words, options.word)
    if place is None:
        raise InvalidInput("word_unseen", word=options.word, sentences=len(words.sentences))
    looks, is_sought = around(checkpoint, side, head, scores, words, place, among, options.most)
    return told | {"looks_for": _told(looks), "looked_for_by": _told(is_sought)}


def _side(head: str) -> Side:
    return "encoder" if head.startswith("encoder.") else "decoder"


def _told(pairs: Sequence[WordPair]) -> list[dict[str, Any]]:
    rows = [pair._asdict() | {"share": pair.share, "random_share": pair.random_share} for pair in pairs]
    return [{name: each.rounded() if isinstance(each, Estimate) else each for name, each in row.items()}
            for row in rows]  # fmt: skip


MEASUREMENT: Measurement[Any] = Measurement(
    name="word-pairs",
    about="which words look for which words in a head of the first layer, as JSON",
    measure=_measure,
    options=(
        CHECKPOINT,
        option("--head", required=True, metavar="SIDE.HEAD", help="a head of the first layer, such as encoder.0"),
        option("--word", help="what this word looks for, and which words look for it"),
        option("--all", action="store_true", help="also pairs that hardly any sentence holds"),
        option("--distance", type=int, default=DISTANCE, help="from key to query, where positions rotate both"),
        option("--most", type=int, default=MOST, help="pairs (default: %(default)s)"),
    ),
    save=None,
)
