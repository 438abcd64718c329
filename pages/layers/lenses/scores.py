"""What a lens scores over held-out sentences, recorded beside the model: with intervals, and with random weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.checkpoint import catalogue
from pages.layers.lenses import not_fitted
from pages.shared.layout import page
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.layers import lens_charts
from viz.charts.layers.lens_charts import Estimate, Line
from viz.numbers import percent

FILE = "lenses.json"  # of a checkpoint: what `python -m model lenses` wrote
LENSES = ("logit", "jacobian", "tuned")
Estimates = Mapping[str, Estimate]  # by place


@dataclass(frozen=True)
class Scores:
    """Of one model, by place; the last two are empty without an encoder beside a decoder.

    agreement     of each lens, the share of tokens that it names as the whole model does
    divergence    of each lens, KL divergence from the whole model in nats
    source        the share of source tokens that are read as a token of the output; of another output: elsewhere
    decoder_lens  chrF and BLEU
    """

    agreement: Mapping[str, Estimates]
    divergence: Mapping[str, Estimates]
    source: Mapping[str, Estimates]
    decoder_lens: Mapping[str, Estimates]


@dataclass(frozen=True)
class Recorded:
    """Scores of the model and of its twin with random weights, over so many sentences and tokens of their outputs."""

    sentences: int
    tokens: int
    model: Scores
    twin: Scores


def recorded(entry: catalogue.Entry) -> Recorded | None:
    """Read the scores recorded of the model; None if nothing was recorded, or not all of it."""
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        content = json.loads((entry.folder / FILE).read_text(encoding="utf-8"))
        counts = int(content["sentences"]), int(content["tokens"])
        return Recorded(*counts, _scores(content), _scores(content["twin"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _scores(content: Mapping[str, Any]) -> Scores:
    source = {key: _estimates(content[key]) for key in ("source", "source_elsewhere") if key in content}
    agreement, divergence = (
        {lens: _estimates(content[key][lens]) for lens in LENSES} for key in ("agreement", "divergence")
    )
    decoder_lens = {metric: _estimates(each) for metric, each in content.get("decoder_lens", {}).items()}
    return Scores(agreement, divergence, source, decoder_lens)


def _estimates(table: Mapping[str, list[float]]) -> dict[str, Estimate]:
    return {place: Estimate(*map(float, values)) for place, values in table.items()}


def agreement(entry: catalogue.Entry, lens: str) -> None:
    """How often each lens is right, and the one in view with random weights; nothing where it was not measured."""
    scores, texts = recorded(entry), section("layers_lens")
    if scores is None:
        return
    page.flush()
    places = list(scores.model.agreement[lens])
    lines = [Line(texts[each], list(scores.model.agreement[each].values())) for each in LENSES]
    twin = Line(texts["twin"].format(lens=texts[lens]), list(scores.twin.agreement[lens].values()), is_random=True)
    with page.card("figure_lens_scores", texts["scores"], texts["scores_hint"]):
        names = list(map(depth.layer_title, places))
        show.figure("lens_scores", lens_charts.estimates_chart(names, [*lines, twin], section("lens_chart"), "share"))
        _say(scores, lens, places[-1])


def _say(scores: Recorded, lens: str, place: str) -> None:
    own, random = (each.agreement[lens][place] for each in (scores.model, scores.twin))
    show.text(
        words(
            "layers_lens.agreement",
            sentences=scores.sentences,
            tokens=f"{scores.tokens:,}",
            lens=words(f"layers_lens.{lens}"),
            place=depth.layer_title(place),
            divergence=f"{scores.model.divergence[lens][place].mean:.2f}",
            **_said(own),
        )
    )
    key = "more_than_random" if own.low > random.high else "not_more_than_random"
    show.text(words(f"layers_lens.{key}", share=percent(random.mean)))


def _said(estimate: Estimate) -> dict[str, str]:
    return {"share": percent(estimate.mean), "low": percent(estimate.low), "high": percent(estimate.high)}


def source(entry: catalogue.Entry) -> None:
    """How many source tokens are read as a token of the output: of their own, of another one, with random weights."""
    scores, texts = recorded(entry), section("layers_lens")
    if scores is None or not scores.model.source:
        return
    page.flush()
    own, elsewhere = scores.model.source["source"], scores.model.source["source_elsewhere"]
    random = scores.twin.source["source"]
    lines = [
        Line(texts["own_output"], list(own.values())),
        Line(texts["other_output"], list(elsewhere.values())),
        Line(texts["random_weights"], list(random.values()), is_random=True),
    ]
    with page.card("figure_source_scores", texts["source_scores"], texts["source_scores_hint"]):
        names, last = list(map(depth.layer_title, own)), list(own)[-1]
        chart = lens_charts.estimates_chart(names, lines, section("lens_chart"), "source_share")
        show.figure("source_scores", chart)
        chance = {"elsewhere": percent(elsewhere[last].mean), "random": percent(random[last].mean, 1)}
        show.text(texts["source_said"].format(sentences=scores.sentences, **_said(own[last]), **chance))


def decoder_lens(entry: catalogue.Entry) -> None:
    """chrF and BLEU after each number of encoder layers, or the command that measures them."""
    scores, texts = recorded(entry), section("layers_lens")
    if scores is None or not scores.model.decoder_lens:
        if not isinstance(entry, catalogue.Untrained):
            show.caption(texts["no_scores"])
            not_fitted.command(entry)
        return
    page.flush()
    chrf, bleu = (scores.model.decoder_lens[metric] for metric in ("chrf", "bleu"))
    random = scores.twin.decoder_lens["chrf"]
    lines = [
        Line("chrF", list(chrf.values())),
        Line("BLEU", list(bleu.values())),
        Line(f"chrF · {texts['random_weights']}", list(random.values()), is_random=True),
    ]
    with page.card("figure_decoder_lens_scores", texts["decoder_scores"], texts["decoder_scores_hint"]):
        names = list(map(depth.layer_title, chrf))
        show.figure("decoder_lens_scores", lens_charts.estimates_chart(names, lines, section("lens_chart"), "score"))
        first, *_, whole = chrf.values()
        show.text(
            texts["decoder_said"].format(
                sentences=scores.sentences, first=_score(first), whole=_score(whole),
                random=f"{list(random.values())[-1].mean:.1f}",
            )
        )  # fmt: skip


def _score(estimate: Estimate) -> str:
    numbers = {name: f"{value:.1f}" for name, value in estimate._asdict().items()}
    return words("layers_lens.score", **numbers)
