"""The graph of a word's paths with its slider, and beside it what the model does with these edges alone."""

from __future__ import annotations

from model.attribution.paths import pruning
from pages.shared.layout import page
from pages.shared.text.words import section, words
from pages.shared.ui import controls, reserved_space, show
from pages.why.paths import cached_paths, edge_texts
from pages.why.question_asked import AskedQuestion
from viz.charts.effects import path_charts
from viz.components.paths import PathEdge, PathStep, PathToken
from viz.figures.paths import LIST, PathFigure
from viz.numbers import percent, signed

DEFAULT = 16  # edges
ONE = {"sentences": 1}  # that the numbers of a file are about


def figures(subject: AskedQuestion) -> None:
    """The graph, then the run of the model with it alone."""
    with page.card("figure_paths", words("why_paths.title"), words("why_paths.about")):
        if not cached_paths.is_short(subject):
            show.text(words("why_paths.too_long", most=cached_paths.MOST_TOKENS))
            return
        title = words("why_paths.edges")
        count = controls.steps("edges", title, cached_paths.SIZES, DEFAULT)
        edges = cached_paths.edges(subject.key)[:count]
        _graph(subject, edges)
    page.flush()
    with page.card("figure_kept", words("why_paths.kept_title"), words("why_paths.kept_about")):
        _kept(subject, count, len(edges))


def _graph(subject: AskedQuestion, edges: list[pruning.Edge]) -> None:
    figure = drawing(subject, edges)
    with reserved_space.reserve("why-paths_room", figure.height, figure.height + LIST, marks=True):
        show.figure("why-paths", figure, files="why-paths", measured=ONE)
    show.text(_sums(subject))
    page.formula("path_sum")
    show.caption(words("why_paths.limit"))


def drawing(subject: AskedQuestion, edges: list[pruning.Edge]) -> PathFigure:
    """The figure of some edges: the tokens that they touch, and every sublayer."""
    graph, texts = cached_paths.contributions(subject.key), edge_texts.Texts(subject)
    touched = {(graph.side, graph.row)}
    drawn = []
    for edge in sorted(edges, key=lambda each: -abs(each.value)):
        step = graph.steps[edge.step]
        key_side = "" if edge.key is None else ("encoder" if edge.kind == "cross" else step.side)
        touched |= {(step.side, edge.row)} | ({(key_side, edge.key)} if edge.key is not None else set())  # type: ignore[arg-type]
        name, said = texts.edge(edge)
        drawn.append(PathEdge(edge.step, edge.kind, edge.row, edge.value, name, said, edge.key, key_side, edge.part))
    tokens = [
        PathToken(side, place, texts.token(side, place), signed(float(graph.inputs[side][place])))
        for side, place in sorted(touched)
    ]
    steps = [PathStep(step.side, words(f"why_paths.row_{step.part}", layer=step.layer)) for step in graph.steps]
    answer = PathToken(graph.side, graph.row, texts.answer, signed(graph.logit))
    labels = section("why_paths_figure") | {"figure": words("why_paths_figure.figure", token=texts.answer)}
    return PathFigure(tokens, steps, drawn, answer, labels)


def _sums(subject: AskedQuestion) -> str:
    """How the logit adds up, from the embeddings of both sides and the biases."""
    graph = cached_paths.contributions(subject.key)
    sums = {side: signed(float(values.sum())) for side, values in graph.inputs.items()}
    numbers = {"biases": signed(graph.biases), "logit": signed(graph.logit)}
    if len(sums) == 1:
        return words("why_paths.sum_text", text=next(iter(sums.values())), **numbers)
    return words("why_paths.sum", source=sums["encoder"], written=sums["decoder"], **numbers)


def _kept(subject: AskedQuestion, count: int, shown: int) -> None:
    runs = cached_paths.kept(subject)
    if runs is None:
        return
    whole, at = cached_paths.contributions(subject.key).logit, runs.sizes.index(count)
    logits = {"logit": signed(float(runs.free[at])), "whole": signed(whole), "none": signed(float(runs.free[0]))}
    shares = [runs.share(each, whole) for each in (runs.free, runs.held, runs.chance)]
    if shares[0][0] != shares[0][0]:
        show.text(words("why_paths.kept_nothing", count=shown, **logits))
        return
    by_name = dict(zip(("free", "held", "chance"), shares, strict=True))
    values = {"share" if name == "free" else name: percent(each[at]) for name, each in by_name.items()}
    show.text(words("why_paths.kept_says", count=shown, **values, **logits))
    texts = section("why_kept")
    curves = {texts[name]: each for name, each in by_name.items()}
    chart = path_charts.kept_chart(curves, runs.sizes, count, texts)
    rows = path_charts.kept_rows(by_name, runs.sizes)
    show.figure("why-kept", chart.with_rows(lambda: rows), measured=ONE)
    page.formula("path_kept")
    show.caption(words("why_paths.kept_limit"))
