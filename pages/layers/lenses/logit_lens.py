"""Prediction of the model after each layer: its own output layer, applied early, alone or behind a fitted map."""

from collections.abc import Sequence

from model.analysis.logit_lens import LogitLens
from model.analysis.residual_stream import Side
from pages.layers import passes, selection
from pages.layers.lenses import not_fitted, scores
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show, token_picker
from viz.charts.layers import logit_lens_charts
from viz.charts.layers.logit_lens_charts import Candidate


def figures(current_run: CurrentRun, side: Side, lens: str) -> None:
    """All of a lens: `logit`, `jacobian` or `tuned`."""
    is_fitted = lens in passes.FITTED
    if is_fitted and passes.lenses(current_run.entry) is None:
        not_fitted.say(current_run.entry, words(f"layers_lens.{lens}"))
        return
    if side == "encoder":
        show.caption(words("layers_early.encoder"))
    step = selection.step(current_run, side)
    every = not is_fitted and controls.toggle("every", words("layers_early.every"))
    early = passes.early(current_run, side, every, lens)
    depths = [depth.title(at) if every else depth.layer_title(at) for at in early.depths]
    _candidates(current_run, early, depths, step, lens)
    page.flush()
    _ranks(current_run, early, depths, step)
    _steps(current_run, side, early, depths, step)
    scores.agreement(current_run.entry, lens)


def _candidates(current_run: CurrentRun, early: LogitLens, depths: list[str], step: int, lens: str) -> None:
    tokens = models.tokenizer(current_run.entry).tokens
    candidates = [
        [
            Candidate(
                int(id_), word, k + 1, int(early.top_before[n, step, k]), float(early.top_probabilities[n, step, k])
            )
            for k, (id_, word) in enumerate(zip(ids, tokens(ids.tolist()), strict=True))
        ]
        for n, ids in enumerate(early.top[:, step])
    ]
    is_fitted = lens in passes.FITTED
    hint = words(f"layers_lens.{lens}_hint") if is_fitted else words("layers_early.candidates_hint")
    with page.card("figure_early", words("layers_early.candidates"), hint):
        show.figure(
            "early_candidates",
            logit_lens_charts.candidates_chart(depths, candidates, int(early.final[step, 0]), section("early_chart")),
        )
        if is_fitted:
            page.formula(f"{lens}_lens")
            show.caption(words(f"layers_lens.{lens}_limit"))
        else:
            _formula(current_run)


def _formula(current_run: CurrentRun) -> None:
    final_norm = current_run.entry.config.final_norm
    page.formula("logit_lens_normed" if final_norm else "logit_lens")
    if current_run.entry.config.tied_embeddings != "none":
        show.caption(words("layers_early.tied"))
    if not final_norm:
        show.caption(words("layers_early.no_final"))


def _ranks(current_run: CurrentRun, early: LogitLens, depths: list[str], step: int) -> None:
    names = token_picker.distinct(models.tokenizer(current_run.entry).tokens(early.final[step].tolist()))
    ranks = early.final_ranks[:, step].tolist()  # (N, K)
    with page.card(
        "figure_ranks",
        words("layers_early.ranks"),
        words("layers_early.ranks_hint", count=current_run.entry.config.target_vocabulary),
    ):
        show.figure("early_ranks", logit_lens_charts.ranks_chart(depths, names, ranks, section("early_chart")))


def _steps(current_run: CurrentRun, side: Side, early: LogitLens, depths: list[str], step: int) -> None:
    names = [f"{t} · {token}" for t, token in enumerate(selection.generated(current_run, side))]
    ranks = early.final_ranks[:, :, 0].tolist()  # (N, T)
    with page.card("figure_settled", words("layers_early.steps"), words("layers_early.steps_hint")):
        show.figure(
            "early_steps",
            logit_lens_charts.settled_chart(depths, names, ranks, step, section("early_chart")),
        )
        show.text(words("layers_lens.settled", counts=counted(depths, (early.final_ranks[:, :, 0] == 1).sum(1)),
                        count=len(names)))  # fmt: skip


def counted(depths: Sequence[str], counts: Sequence[int]) -> str:
    """How many at each depth, as a list."""
    parts = [words("layers_lens.at", place=at, count=int(count)) for at, count in zip(depths, counts, strict=True)]
    return words("layers_lens.comma").join(parts)
