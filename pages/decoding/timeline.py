"""The time line of a decoding, and the candidates of each step."""

from __future__ import annotations

from model.checkpoint import catalogue
from model.decode import forced_tokens, token_sampling
from pages.decoding import branches, forced_word, output_list
from pages.decoding.output_list import Decoding
from pages.shared.classroom import my_class
from pages.shared.load.component_code import component
from pages.shared.models import ending, models
from pages.shared.session import view, widgets
from pages.shared.text.words import section, words
from pages.shared.ui import show
from pages.shared.ui.downloads import export
from viz.charts import decoding_charts
from viz.components.timeline import FRONTEND, Candidate, Step, player_data
from viz.figures.timeline import TimelineFigure

PROMPT = 12  # tokens of a prompt that are shown before the first step

_player = component("player", FRONTEND)


def player(decoding: Decoding) -> None:
    """The time line, the candidates of the step in view, and a word of the user's own."""
    steps = _steps(
        decoding.entry, decoding.current_run.sentence, decoding.branch.forcing, decoding.sampling, decoding.count
    )

    def moved(step: int | None) -> None:
        if step is not None:
            view.choose(step=step)

    def clicked(choice: dict[str, int] | None) -> None:
        if choice:
            branches.force(decoding, choice["step"], (choice["id"],))

    prompt = models.tokenizer(decoding.entry).tokens(decoding.start.prompt, begins=True)
    tokens = prompt if len(prompt) <= PROMPT else ("…", *prompt[-PROMPT:])
    step = steps[decoding.step]
    figure = TimelineFigure(
        tokens, steps, decoding.step, section("player"), lambda: decoding_charts.candidates_rows(_bars(step))
    )
    if my_class.sees_pictures():
        show.picture("player", figure)
    else:
        _player(
            data=player_data(tokens, steps, decoding.step, section("player")),
            key="player",
            on_step_change=widgets.heard("player", "step", moved),
            on_force_change=widgets.heard("player", "force", clicked),
        )
        show.keep(figure.parts)
    if reason := ending.stopped(decoding.entry, decoding.current_run.sentence, decoding.branch.run.stop):
        show.caption(reason)
    if decoding.is_given:
        show.caption(words("decoding.begins_with", word=decoding.branch.tokens[0]))
    forced_word.own_word(decoding, step)
    export.files("candidates", figure)


@models.cached
def _steps(
    entry: catalogue.Entry,
    sentence: str,
    forcing: forced_tokens.Forced,
    sampling: token_sampling.Sampling | None,
    count: int,
) -> tuple[Step, ...]:
    branch, start = output_list.run(entry, sentence, forcing, sampling), ending.begin(entry, sentence)
    logits = output_list.trace(entry, sentence, branch.run.ids).values["logits"][len(start.prompt) - 1 :]
    tokens = models.tokenizer(entry).tokens
    read = tokens(start.read(branch.run.ids))[len(start.prompt) - 1 :]
    steps = []
    for step, (row, id_) in enumerate(zip(logits, branch.run.ids, strict=True)):
        own = token_sampling.candidates(row, id_, count, sampling)
        draws = own.drawn or [None] * len(own.ids)
        rows = zip(own.ids, tokens(own.ids), own.probabilities, draws, strict=True)
        steps.append(
            Step(
                read=read[step],
                word=branch.tokens[step],
                id=id_,
                probability=own.chosen_probability,
                rank=own.chosen_rank,
                forced=step in branch.forced,
                candidates=tuple(Candidate(*each) for each in rows),
                others=own.others,
                others_drawn=own.others_drawn,
                left=len(row) - len(own.ids),
            )
        )
    return tuple(steps)


def bars(decoding: Decoding, count: int) -> list[decoding_charts.Bar]:
    """The candidates of the step in view, all others as the last."""
    return _bars(
        _steps(decoding.entry, decoding.current_run.sentence, decoding.branch.forcing, decoding.sampling, count)[
            decoding.step
        ]
    )


def _bars(step: Step) -> list[decoding_charts.Bar]:
    bars_of_tokens = [
        decoding_charts.Bar(each.word, each.probability, each.drawn, each.id == step.id) for each in step.candidates
    ]
    others = words("player.others", count=step.left)
    return [*bars_of_tokens, decoding_charts.Bar(others, step.others, step.others_drawn, chosen=False)]
