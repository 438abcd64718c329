"""Positions that act in self-attention: relative biases, rotations and ALiBi, each on a model that has them."""

from __future__ import annotations

from model.analysis import positions_in_attention
from model.checkpoint import catalogue
from pages.shared.layout import page
from pages.shared.models import current, models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.notices import plain
from pages.shared.text.where_positions_act import IN_ATTENTION
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.charts.basic import distance_charts
from viz.data import Matrix
from viz.html.plain_table import table_html
from viz.numbers import power_of_ten

REACH = 20  # tokens to either side
PLACES = 16  # positions of the rotated query and key
METHODS = ("sinusoidal", "learned", *IN_ATTENTION, "none")


def figures(current_run: CurrentRun) -> None:
    """The chosen method, and all methods beside each other."""
    texts, own = section("position_methods"), current_run.entry.config.position
    with page.card("figure_methods", texts["title"]):
        titles = {method: texts[method] for method in IN_ATTENTION}
        method = controls.choice(
            "method", texts["method"], titles, own if own in IN_ATTENTION else IN_ATTENTION[0], hidden=True
        )
        show.text(texts[f"{method}_says"])
        entry = _entry(method, current_run.entry)
        if entry is None:
            show.text(words("position_methods.nothing", method=texts[method]))
        else:
            with warmup.spinner():
                (_rotary if method == "rotary" else _bias)(entry, method)
    page.flush()
    with page.card("figure_all_methods", texts["all"]):
        heads = [texts[head] for head in ("name_head", "where_head", "learned_head", "beyond_head")]
        rows = [[texts[method], *(texts[f"{method}_{cell}"] for cell in ("where", "learns", "beyond"))]
                for method in METHODS]  # fmt: skip
        show.table(table_html(heads, rows, chosen=METHODS.index(own)))
        show.caption(texts["chosen"])


def _entry(method: str, own: catalogue.Entry) -> catalogue.Entry | None:
    """The model in use if it has the method, else the first trained one that has it."""
    if own.config.position == method:
        return own
    entries = (entry for entry in current.models().values() if not isinstance(entry, catalogue.Untrained))
    fits = (entry for entry in entries if entry.is_sound() and entry.reads_text)
    return next((entry for entry in fits if entry.config.position == method), None)


def _bias(entry: catalogue.Entry, method: str) -> None:
    side = "encoder" if entry.config.encoder_layers else "decoder"
    distances, values = _biases(entry, side)
    texts = section("position_bias_chart")
    show.figure(
        "position-bias",
        distance_charts.distance_chart(distances.tolist(), values, texts),
    )
    page.formula(f"score_{method}")
    show.caption(
        section("position_methods")[f"{method}_of"].format(
            name=plain(entry.name), side=words(f"position_methods.{side}")
        )
    )


@models.cached
def _biases(entry: catalogue.Entry, side: str):
    return positions_in_attention.biases(models.checkpoint(entry).model, side, REACH)


def _rotary(entry: catalogue.Entry, method: str) -> None:
    """One query and one key of the model, moved through the positions: the score follows their distance."""
    texts = section("position_methods")
    token, scores = _scores(entry)
    labels = tuple(str(place) for place in range(PLACES))
    figures = [
        Matrix("rotated_scores", texts["scores"], scores, labels, labels, texts["row"], texts["column"], decimals=2)
    ]
    matrices("position_rotary", figures, share=0.5, files="position-rotary")
    page.formula("score_rotary")
    off = power_of_ten(positions_in_attention.off_diagonals(scores))
    show.caption(words("position_methods.rotary_of", name=plain(entry.name), token=plain(token), off=off))


@models.cached
def _scores(entry: catalogue.Entry):
    """The first token of the model's first example, and its query and key of the first head at all positions."""
    run, config = models.run(entry, entry.card["examples"][0]), entry.config
    side = "encoder" if run.source else "decoder"
    tokens = run.trace.source_tokens or run.trace.target_tokens
    at = min(1, len(tokens) - 1)
    layer = next(layer for layer in range(entry.config.layers(side)) if layer not in config.unrotated)
    q, k = (run.trace.values[f"{side}.{layer}.self_attention.unrotated_{letter}"][0, at] for letter in "qk")
    return tokens[at], positions_in_attention.rotated_scores(q, k, config.position_base, PLACES, config.frequencies)
