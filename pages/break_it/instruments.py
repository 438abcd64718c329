"""The instruments: figures of one model or of two beside each other, in which a mistake shows itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from model.analysis import softmax
from model.mistakes import metrics, probes
from model.trace import ATTENTION_KINDS, AttentionKind
from pages.break_it.twins import Case
from pages.shared.models import models
from pages.shared.text import where_positions_act
from pages.shared.text.words import section, words
from pages.shared.ui import head_picker, show
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.charts import mistake_charts
from viz.data import Matrix
from viz.html.masks import batch_table
from viz.html.outputs import Output, outputs_html

Twins = Mapping[str, "metrics.Twin"]  # by "healthy" and "broken", or one alone by "model"
SPARED = ("no_causal_mask", "no_padding_mask", "finite_fill")  # mistakes that no single sentence shows when written


def _words(figure: str) -> dict[str, str]:
    """The words of one chart: those of all, with its own x, y and description."""
    texts = section("break_chart")
    own = {part: texts[f"{figure}_{part}"] for part in ("x", "y", "description") if f"{figure}_{part}" in texts}
    return texts | own


def _lines(name: str, figure: str, series: Mapping[str, Sequence[float]], *, log: bool = False) -> None:
    rows = mistake_charts.line_rows(series)
    show.figure(name, mistake_charts.lines_chart(rows, _words(figure), log=log))


def position(case: Case, twins: Twins) -> None:
    """Draw the vectors added to the embeddings, and how alike neighbours are in each pair of dimensions."""
    tables = {which: probes.positions(twin, case.sample) for which, twin in twins.items()}
    if any(table is None for table in tables.values()):
        show.text(where_positions_act.where(twins["healthy"].model.config, words("break_figure.no_position")))
        return
    complete = {which: table for which, table in tables.items() if table is not None}
    _lines(
        "break-neighbours",
        "neighbours",
        {which: probes.neighbours(table).tolist() for which, table in complete.items()},
    )
    tokens = case.tokens(probes.side(next(iter(twins.values()))))
    figures = [
        Matrix(
            which,
            words(f"break_chart.{which}"),
            table,
            tokens,
            tuple(map(str, range(table.shape[1]))),
            words("break_figure.tokens"),
            words("break_figure.dimensions"),
            limit=1.0,
        )
        for which, table in complete.items()
    ]
    matrices("break_position", figures, files="break-position")


def frequencies(case: Case, twins: Twins) -> None:
    """The frequency of each pair, as it should be and as it is divided by."""
    config = twins["healthy"].model.config
    series = {
        which: metrics.frequencies(config, inverted=twin.broken).tolist() for which, twin in twins.items()
    }  # fmt: skip
    _lines("break-frequencies", "frequencies", series, log=True)


def stream(case: Case, twins: Twins) -> None:
    """How large the residual stream is, layer by layer."""
    series = {which: probes.stream(twin, case.sample).tolist() for which, twin in twins.items()}
    _lines("break-stream", "stream", series, log=True)


def energy(case: Case, twins: Twins) -> None:
    """How strong each token's embedding is beside its position."""
    energies = {which: probes.energies(twin, case.sample) for which, twin in twins.items()}
    series = {which: word.tolist() for which, (word, _) in energies.items()}
    series["formula"] = next(iter(energies.values()))[1].tolist()
    rows = mistake_charts.bar_rows(case.tokens(probes.side(next(iter(twins.values())))), series)
    texts = _words("energy") | {"formula": words("break_figure.position")}
    show.figure("break-energy", mistake_charts.bars_chart(rows, texts, log=True))


def attention(case: Case, twins: Twins) -> None:
    """One head's weights, and what each row sums to."""
    _attention(case, twins, ATTENTION_KINDS, _row_sums)


def saturation(case: Case, twins: Twins) -> None:
    """One head's weights, and the entropy of each row."""
    _attention(case, twins, ATTENTION_KINDS, _entropies)


def future(case: Case, twins: Twins) -> None:
    """The decoder's weights, and how much of each row falls on what is still to be written."""
    _attention(case, twins, ("decoder",), _futures)


def cross(case: Case, twins: Twins) -> None:
    """The weights from the target to the source."""
    _attention(case, twins, ("cross",), _row_sums)


def training(case: Case, twins: Twins) -> None:
    """One head's weights in a pass in training mode, and what each row sums to."""
    _attention(case, twins, ATTENTION_KINDS, _row_sums, training=True)


def _attention(
    case: Case,
    twins: Twins,
    kinds: Sequence[AttentionKind],
    measure: Callable[[np.ndarray], tuple[str, np.ndarray, float | None]],
    training: bool = False,
) -> None:
    picked = head_picker.pick_head(case.current_run, kinds) if case.obstacle is None else PickedHead(kinds[0], 0, 0)
    read = probes.training_weights if training else probes.weights
    weights_of = {
        which: read(twin, case.sample, picked.kind, picked.layer)[picked.head] for which, twin in twins.items()
    }
    above = max(float(values.max()) for values in weights_of.values()) > 1 + 1e-5  # only where dropout has raised some
    figures = [_weights(case, which, picked, values, above) for which, values in weights_of.items()]
    matrices("break_attention", figures, files="break-attention")
    name = measure(next(iter(weights_of.values())))[0]
    target = measure(next(iter(weights_of.values())))[2]
    rows = mistake_charts.bar_rows(
        figures[0].rows, {which: measure(values)[1].tolist() for which, values in weights_of.items()}
    )
    figure = mistake_charts.bars_chart(rows, _words(name), target=target, share=name == "future")
    show.figure(f"break-{name.replace('_', '-')}", figure)


def _weights(case: Case, which: str, picked: PickedHead, values: np.ndarray, above: bool) -> Matrix:
    twin = which if which in case.twins else "broken"
    queries = case.tokens("encoder" if picked.kind == "encoder" else "decoder", twin)
    keys = case.tokens("decoder" if picked.kind == "decoder" else "encoder", twin)
    sums = [f"{float(line):.2f}" for axis in (-1, -2) for line in (values.sum(axis).min(), values.sum(axis).max())]
    note = words("break_figure.sums", row_least=sums[0], row_most=sums[1], least=sums[2], most=sums[3])
    title = words("break_figure.head", which=words(f"break_chart.{which}"), layer=picked.layer, head=picked.head)
    axes = (words("break_figure.queries"), words("break_figure.keys"))
    if above:
        return Matrix(
            which, title, values, queries, keys, *axes, scale="positive", colour=picked.kind, limit=1.0, decimals=2,
            note=note,
        )  # fmt: skip
    return Matrix(which, title, values, queries, keys, *axes, scale="weight", colour=picked.kind, decimals=2, note=note)


def _row_sums(values: np.ndarray) -> tuple[str, np.ndarray, float | None]:
    return "row_sums", values.sum(-1), 1.0


def _entropies(values: np.ndarray) -> tuple[str, np.ndarray, float | None]:
    return "entropy", softmax.entropy_bits(values) * softmax.NATS_PER_BIT, None


def _futures(values: np.ndarray) -> tuple[str, np.ndarray, float | None]:
    return "future", np.triu(values, 1).sum(-1), None


def padding(case: Case, twins: Twins) -> None:
    """How far an output moves when a longer sentence joins the batch."""
    if not next(iter(twins.values())).model.config.encoder_layers:
        show.text(words("break_figure.no_encoder"))
        return
    series = {which: probes.padding(twin, case.sample).tolist() for which, twin in twins.items()}
    _lines("break-padding", "padding", series)
    if any(np.isnan(values).any() for values in series.values()):
        show.text(words("break_figure.padding_nan"))


def hidden(case: Case, twins: Twins) -> None:
    """The weights of one query while its keys are hidden one by one, down to none."""
    if not next(iter(twins.values())).model.config.encoder_layers:
        show.text(words("break_figure.no_encoder"))
        return
    figures = []
    for which, twin in twins.items():
        rows = probes.hidden_keys(twin, case.sample)
        left = tuple(words("break_figure.left", count=count) for count in range(len(rows) - 1, -1, -1))
        keys = case.tokens("encoder", which if which in case.twins else "broken")
        axes = (words("break_figure.keys_left"), words("break_figure.keys"))
        title = words(f"break_chart.{which}")
        matrix = Matrix(which, title, rows, left, keys, *axes, scale="weight", colour="encoder", decimals=2)
        figures.append(matrix)
    matrices("break_hidden", figures, files="break-hidden")


def norm(case: Case, twins: Twins) -> None:
    """How widely each token is spread behind the first LayerNorm."""
    series = {which: probes.normalised(twin, case.sample).tolist() for which, twin in twins.items()}
    rows = mistake_charts.bar_rows(case.tokens(probes.side(next(iter(twins.values())))), series)
    show.figure("break-norm", mistake_charts.bars_chart(rows, _words("norm"), target=1.0))


def fed(case: Case, twins: Twins) -> None:
    """The tokens and ids that each stack reads."""
    tokenizer = models.tokenizer(case.current_run.entry)
    for which, twin in twins.items():
        for side, ids in probes.fed(twin, case.sample).items():
            row = list(zip(tokenizer.tokens(ids), ids, strict=True))
            name = words(f"break_figure.{side}")
            caption = words("break_figure.reads", which=words(f"break_chart.{which}"), reads=name)
            show.table(batch_table([row], [name], -1, side, caption))


def output(case: Case, twins: Twins) -> None:
    """Draw the model's output, step by step."""
    from pages.break_it.twins import output as written

    outputs_of = {which: written(case, which if which in case.twins else "broken") for which in twins}
    if None in outputs_of.values():
        show.text(words("break_figure.no_output"))
        return
    tokens = [tokens_of or () for tokens_of in outputs_of.values()]
    if len(tokens) == 1:
        show.output(" ".join(tokens[0]))
        return
    same = words(f"break_same.{case.key if case.key in SPARED else 'here'}") if tokens[0] == tokens[1] else ""
    outputs = [
        Output(words(f"break_chart.{which}"), output, frozenset(), note)
        for which, output, note in zip(outputs_of, tokens, ("", same), strict=True)
    ]
    show.table(outputs_html(outputs[0], outputs[1], section("break_chart")))


INSTRUMENTS: dict[str, Callable[[Case, Twins], None]] = {
    "fed": fed,
    "output": output,
    "position": position,
    "energy": energy,
    "stream": stream,
    "norm": norm,
    "attention": attention,
    "saturation": saturation,
    "training": training,
    "padding": padding,
    "hidden": hidden,
}
SHOWN_IN = {  # the figures in which each mistake shows itself, the first first
    "inverted_frequency": (frequencies, position),
    "norm_ignored": (stream,),
    "unscaled_scores": (saturation,),
    "unscaled_embedding": (energy,),
    "unfit_init": (energy,),
    "no_causal_mask": (future,),
    "no_padding_mask": (padding,),
    "finite_fill": (hidden,),
    "softmax_axis": (attention,),
    "same_ids": (fed,),
    "textbook_norm": (norm,),
    "recorded_after_dropout": (training,),
}
FOUND_WITH = {  # the instrument of the riddle that gives each away
    "inverted_frequency": "position",
    "norm_ignored": "stream",
    "unscaled_scores": "saturation",
    "unscaled_embedding": "energy",
    "unfit_init": "energy",
    "no_causal_mask": "attention",
    "no_padding_mask": "padding",
    "finite_fill": "hidden",
    "softmax_axis": "attention",
    "same_ids": "fed",
    "textbook_norm": "norm",
    "recorded_after_dropout": "training",
}
