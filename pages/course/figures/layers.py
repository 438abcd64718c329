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
    places = [depth.layer_title(place) for place in lens.places]
    candidates = [_candidates(current_run, lens, place, step) for place in range(len(places))]
    show.figure(
        "course-layers",
        candidates_chart(places, candidates, int(lens.final[step, 0]), section("early_chart"), moves=False),
    )
    show.caption(words("course_layers.legend"))
    return layers.question(lens, names, places, current_run.entry.config.decoder_layers)


def _candidates(current_run: CurrentRun, lens: LogitLens, place: int, step: int) -> list[Candidate]:
    ids = lens.top[place, step].tolist()
    names = models.tokenizer(current_run.entry).tokens(ids)
    before, shares = lens.top_before[place, step].tolist(), lens.top_probabilities[place, step].tolist()
    return [
        Candidate(id_, name, rank, was, share)
        for rank, (id_, name, was, share) in enumerate(zip(ids, names, before, shares, strict=True), 1)
    ]


@models.cached
def _lens(entry: catalogue.Entry, sentence: str) -> LogitLens:
    return logit_lens.early(models.checkpoint(entry).model, models.run(entry, sentence).trace.values, "decoder")
