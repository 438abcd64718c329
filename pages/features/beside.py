"""How much to believe: the numbers of the dictionary beside those of what is no dictionary of this model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.features import scores
from pages.features import cached_features
from pages.features.cached_features import Source
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words
from pages.shared.ui import show
from viz.html.plain_table import table_html
from viz.numbers import percent

OTHERS = ("random_model", "components", "neurons")


def figures(current_run: CurrentRun, source: Source) -> None:
    """A table, then what of it speaks for the dictionary and what against."""
    with page.card("figure_beside", words("features_beside.title"), words("features_beside.about")):
        saved = cached_features.stored(source).card.get("scores")
        if not saved:
            show.text(words("features_beside.missing"))
            return
        names = [name for name in ("dictionary", *OTHERS) if name in saved]
        heads = [words(f"features_beside.column_{each}") for each in ("what", "unexplained", "score", "same", "alive")]
        rows = [(words(f"features_beside.{name}"), *_cells(saved[name])) for name in names]
        show.table(table_html(heads, rows, chosen=0))
        for text in _says(saved):
            show.text(text)
        show.caption(words("features_beside.measured", sentences=saved["sentences"], seed=saved["seed"]))


def _cells(score: Mapping[str, Any]) -> tuple[str, ...]:
    same = score.get("same_token")
    return (
        _percent(score.get("unexplained")), _plain(score.get("chrf")), "–" if same is None else percent(same),
        f"{score['alive']:,}" if "alive" in score else "–",
    )  # fmt: skip


def _percent(interval: list[float] | None) -> str:
    if not interval:
        return "–"
    mean, low, high = (percent(each, 1) for each in interval)
    return words("features_beside.interval", mean=mean, low=low, high=high)


def _plain(interval: list[float] | None) -> str:
    if not interval:
        return "–"
    mean, low, high = (f"{each:.1f}" for each in interval)
    return words("features_beside.interval", mean=mean, low=low, high=high)


def _says(saved: Mapping[str, Any]) -> list[str]:
    """Sentences about this result."""
    texts, own_scores = [], saved["dictionary"]
    if "chrf" in own_scores and "chrf" in saved.get("mean", {}):
        mean = f"{saved['mean']['chrf'][0]:.1f}"
        texts.append(words("features_beside.spliced", dictionary=f"{own_scores['chrf'][0]:.1f}", mean=mean))
    if "reference_chrf" in own_scores and "model" in saved:
        both = {name: f"{saved[name]['reference_chrf'][0]:.1f}" for name in ("dictionary", "model")}
        texts.append(words("features_beside.reference", **both))
    own, other = (saved.get(name, {}).get("same_token") for name in ("dictionary", "random_model"))
    if own is not None and other is not None:
        key = f"features_beside.random_{_compared(own_scores, saved['random_model'])}"
        texts.append(words(key, own=percent(own), other=percent(other)))
    left = {name: saved[name]["unexplained"][0] for name in ("dictionary", "random_model") if name in saved}
    if len(left) == 2 and left["random_model"] <= left["dictionary"]:
        shares = {name: percent(share, 1) for name, share in left.items()}
        texts.append(words("features_beside.random_variance", **shares))
    if "seeds" in saved:
        seeds = saved["seeds"]
        texts.append(words("features_beside.seeds", shared=percent(seeds["shared"]), limit=f"{seeds['cosine']:.1f}"))
    return texts


def _compared(own: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """What the shares of features of one token each say; without counts no difference is clear."""
    if other["same_token"] >= own["same_token"]:
        return "alike"
    lowest, highest = _of_one_token(own)[1], _of_one_token(other)[2]
    return "fewer" if lowest > highest else "unclear"


def _of_one_token(score: Mapping[str, Any]) -> list[float]:
    """The share of the features of one token each and its 95 % interval, from 0 to 1 where nothing was counted."""
    share, count = score["same_token"], score.get("alive", 0)
    if not count:
        return [share, 0.0, 1.0]
    hits = round(share * count)
    return scores.share([number < hits for number in range(count)])
