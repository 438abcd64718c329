"""What a lens scores over held-out sentences, saved beside the model: with intervals, and with random weights."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.intervals import Estimate
from model.measurements import lenses
from model.measurements.measurement import Effects
from pages.layers.lenses import not_fitted
from pages.shared.layout import page
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.layers import lens_charts
from viz.charts.layers.lens_charts import Line
from viz.numbers import percent


def agreement(entry: catalogue.Entry, lens: str) -> None:
    """How often each lens is right, and the one in view with random weights; nothing where it was not measured."""
    scores, texts = lenses.MEASUREMENT.saved(entry), section("layers_lens")
    if scores is None:
        return
    page.flush()
    depths = list(scores.model.agreement[lens])
    lines = [_line(texts[each], scores.model.agreement[each]) for each in lenses.LENSES]
    twin = _line(texts["twin"].format(lens=texts[lens]), scores.twin.agreement[lens], is_random=True)
    with page.card("figure_lens_scores", texts["scores"], texts["scores_hint"]):
        names = list(map(depth.layer_title, depths))
        show.figure("lens_scores", lens_charts.estimates_chart(names, [*lines, twin], section("lens_chart"), "share"))
        _say(scores, lens, depths[-1])


def _line(title: str, by_place: Effects, is_random: bool = False) -> Line:
    return Line(title, [lens_charts.Estimate(*each) for each in by_place.values()], is_random)


def _say(scores: lenses.Saved, lens: str, at: str) -> None:
    own, random = (each.agreement[lens][at] for each in (scores.model, scores.twin))
    show.text(
        words(
            "layers_lens.agreement",
            sentences=scores.sentences,
            tokens=f"{scores.tokens:,}",
            lens=words(f"layers_lens.{lens}"),
            place=depth.layer_title(at),
            divergence=f"{scores.model.divergence[lens][at].mean:.2f}",
            **_said(own),
        )
    )
    key = "more_than_random" if own.low > random.high else "not_more_than_random"
    show.text(words(f"layers_lens.{key}", share=percent(random.mean)))


def _said(estimate: Estimate) -> dict[str, str]:
    return {"share": percent(estimate.mean), "low": percent(estimate.low), "high": percent(estimate.high)}


def source(entry: catalogue.Entry) -> None:
    """How many source tokens are read as a token of the output: of their own, of another one, with random weights."""
    scores, texts = lenses.MEASUREMENT.saved(entry), section("layers_lens")
    if scores is None or not scores.model.source:
        return
    page.flush()
    own, elsewhere = scores.model.source["source"], scores.model.source["source_elsewhere"]
    random = scores.twin.source["source"]
    lines = [
        _line(texts["own_output"], own),
        _line(texts["other_output"], elsewhere),
        _line(texts["random_weights"], random, is_random=True),
    ]
    with page.card("figure_source_scores", texts["source_scores"], texts["source_scores_hint"]):
        names, last = list(map(depth.layer_title, own)), list(own)[-1]
        chart = lens_charts.estimates_chart(names, lines, section("lens_chart"), "source_share")
        show.figure("source_scores", chart)
        chance = {"elsewhere": percent(elsewhere[last].mean), "random": percent(random[last].mean, 1)}
        show.text(texts["source_said"].format(sentences=scores.sentences, **_said(own[last]), **chance))


def decoder_lens(entry: catalogue.Entry) -> None:
    """chrF and BLEU after each number of encoder layers, or the command that measures them."""
    scores, texts = lenses.MEASUREMENT.saved(entry), section("layers_lens")
    if scores is None or not scores.model.decoder_lens:
        if not isinstance(entry, catalogue.Untrained):
            show.caption(texts["no_scores"])
            not_fitted.command(entry)
        return
    page.flush()
    chrf, bleu = (scores.model.decoder_lens[metric] for metric in ("chrf", "bleu"))
    random = scores.twin.decoder_lens["chrf"]
    lines = [
        _line("chrF", chrf),
        _line("BLEU", bleu),
        _line(f"chrF · {texts['random_weights']}", random, is_random=True),
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
