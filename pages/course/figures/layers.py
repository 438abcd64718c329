"""Step 7, layers: what the model would write after each layer (logit lens)."""

from model.analysis import logit_lens
from model.analysis.logit_lens import LogitLens
from model.checkpoint import catalogue
from model.course import layers, tokens
from model.course.question import Question
from pages.course import token_choice
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import depth
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.charts.layers.logit_lens_charts import Candidate, candidates_chart


def figure(current_run: CurrentRun) -> Question:
    names = current_run.trace.output_tokens
    step = token_choice.pick("token", words("course_layers.token"), names, tokens.longest(names))
    lens = _lens(current_run.entry, current_run.sentence)
    depths = [depth.layer_title(at) for at in lens.depths]
    candidates = [_candidates(current_run, lens, at, step) for at in range(len(depths))]
    show.figure(
        "course-layers",
        candidates_chart(depths, candidates, int(lens.final[step, 0]), section("early_chart"), moves=False),
    )
    show.caption(words("course_layers.legend"))
    return layers.question(lens, names, depths, current_run.entry.config.decoder_layers)


def _candidates(current_run: CurrentRun, lens: LogitLens, at: int, step: int) -> list[Candidate]:
    ids = lens.top[at, step].tolist()
    names = models.tokenizer(current_run.entry).tokens(ids)
    before, shares = lens.top_before[at, step].tolist(), lens.top_probabilities[at, step].tolist()
    return [
        Candidate(id_, name, rank, was, share)
        for rank, (id_, name, was, share) in enumerate(zip(ids, names, before, shares, strict=True), 1)
    ]


@models.cached
def _lens(entry: catalogue.Entry, sentence: str) -> LogitLens:
    return logit_lens.early(models.checkpoint(entry).model, models.run(entry, sentence).trace.values, "decoder")
