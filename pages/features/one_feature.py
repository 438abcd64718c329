"""One feature: its name, its examples, the words that it makes likelier, features like it, and heads that read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from model.features import effects
from model.trace import ATTENTION_KINDS
from pages.features import cached_features, example_text, feature_names
from pages.features.cached_features import Source
from pages.shared.session import widgets
from pages.shared.text.notices import plain
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts.basic import bars
from viz.data import Matrix
from viz.html.features import examples_html
from viz.html.plain_table import table_html
from viz.numbers import percent, signed

STRONGEST, OTHERS = 6, 3  # sentences of each kind


def figures(source: Source, feature: int) -> None:
    """Its name, then what the user wants to know of it."""
    _name(source, feature)
    views: dict[str, Callable[[Source, int], None]] = {
        "sentences": _sentences, "words": _words, "near": _near, "heads": _heads,
    }  # fmt: skip
    if not source.entry.config.target_vocabulary:
        del views["words"]
    titles = {name: words(f"features_about.{name}") for name in views}
    about = controls.choice("about", words("features_one.about"), titles, "sentences", hidden=True)
    views[about](source, feature)


def _name(source: Source, feature: int) -> None:
    """What it is called, on which evidence, and a field for the user's own name."""
    show.subheader(plain(feature_names.title(source, feature)))
    share, most = cached_features.shares(source)[feature], cached_features.maxima(source)[feature]
    show.caption(words("features_one.active", share=percent(float(share), 1), most=f"{most:.1f}"))
    if evidence := feature_names.evidence(source, feature):
        show.caption(evidence)
    st.text_input(
        words("features_one.name"),
        placeholder=words("features_one.name_hint"),
        max_chars=feature_names.LIMIT,
        autocomplete="off",
        **widgets.held(
            "feature_name",
            feature_names.own(source).get(feature, ""),
            lambda text: feature_names.give(source, feature, text),
        ),
    )


def _sentences(source: Source, feature: int) -> None:
    """Sentences that the dictionary never learned from: strongest, weakest, at random."""
    given = cached_features.stored(source).activations
    strengths = given.of(feature)
    kinds = {
        "strongest": given.strongest(feature, STRONGEST),
        "weakest": given.weakest(feature, OTHERS),
        "drawn": given.drawn(feature, OTHERS),
    }
    if not kinds["strongest"]:
        show.text(words("features_one.nowhere"))
        return
    groups = [
        (words(f"features_examples.{kind}"), [example_text.shaded(given, strengths, each) for each in examples])
        for kind, examples in kinds.items()
    ]
    show.table(examples_html(groups))
    show.caption(words("features_one.sentences_about", count=f"{len(given.sentences):,}"))


def _words(source: Source, feature: int) -> None:
    """The words that it makes likelier: by its direction alone, and by what removing it changes."""
    direct, measured = cached_features.direct(source, feature), cached_features.measured(source, feature)
    heads = [words(f"features_one.{head}") for head in ("direct", "logit", "measured", "probability")]
    rows = [
        (one, signed(logit), other, signed(change))
        for (_, one, logit), (_, other, change) in zip(direct, measured, strict=True)
    ]
    show.table(table_html(heads, rows))
    common = [token for _, token, _ in measured[:5] if token in {each for _, each, _ in direct}]
    key = "features_one.agree" if common else "features_one.differ"
    show.text(words(key, tokens=words("features_one.comma").join(common)))
    show.caption(words("features_one.words_about"))


def _near(source: Source, feature: int) -> None:
    """The features whose directions are most like its own."""
    found = cached_features.neighbours(source, feature)
    labels = [feature_names.title(source, other) for other, _ in found]
    chart = bars.bars_chart(labels, [cosine for _, cosine in found], section("features_near_chart"))
    show.figure("feature-neighbours", chart)
    show.caption(words("features_one.near_about"))


def _heads(source: Source, feature: int) -> None:
    """Every head that reads the site, and how much of the feature it takes in its values."""
    readings = cached_features.heads(source, feature)
    kinds = [kind for kind in ATTENTION_KINDS if any(each.kind == kind for each in readings)]
    if not kinds:
        show.text(words("features_one.no_heads"))
        return
    matrices("feature_heads", [_of_heads(kind, readings) for kind in kinds], cell=64, files="feature-heads")
    best = readings[0]
    kind = words(f"attention_figure.{best.kind}")
    name = words("attention_figure.head_name", kind=kind, layer=best.layer, head=best.head)
    show.text(words("features_one.most_read", head=name, times=f"{best.value:.1f}"))
    show.caption(words("features_one.heads_about"))


def _of_heads(kind: str, readings: Sequence[effects.Reading]) -> Matrix:
    own = {(each.layer, each.head): each.value for each in readings if each.kind == kind}
    layers = sorted({layer for layer, _ in own})
    count = 1 + max(head for _, head in own)
    values = np.array([[own[layer, head] for head in range(count)] for layer in layers])
    return Matrix(
        kind, words(f"attention_figure.{kind}"), values, tuple(map(str, layers)), tuple(map(str, range(count))),
        row_axis=words("features_one.layers"), column_axis=words("features_one.heads"), scale="positive", colour=kind,
        decimals=2,
    )  # fmt: skip
