"""Byte-pair encoding learnt on the user's own text, merge by merge."""

from __future__ import annotations

from model.tokenization import byte_pairs
from model.tokenization.byte_pairs import State
from pages.embedding import cuts
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, reserved_space, show
from viz.components.merges import MergeState
from viz.figures.merges import MergesFigure

# px that the figure takes beside the list of pages and on a phone: of all but the text, of a line of pieces, and how
# many characters such a line holds
WIDE, SLIM = (390, 32, 40), (830, 26, 12)


def merges(current_run: CurrentRun) -> None:
    """The text merge by merge, the same text in each tokenizer, and the merges that cut one word in the model."""
    with page.card("figure_merges", words("embedding_merges.title"), words("embedding_merges.about")):
        example = words("embedding_merges.example")[: byte_pairs.TEXT_LIMIT]
        text = controls.text("text", words("embedding_merges.own"), example, byte_pairs.TEXT_LIMIT)
        _figure(_states(text))
    page.flush()
    page.formula("byte_pairs")
    show.caption(words("embedding_merges.source"))
    word = cuts.choose_word(current_run)
    with page.card("figure_cut", words("embedding_merges.cut_title", word=word, model=current_run.entry.name)):
        cuts.in_the_model(current_run, word)
    with page.card("figure_tokenizers", words("embedding_merges.tokenizers_title")):
        cuts.in_each(current_run, text, word)


@models.cached
def _states(text: str) -> tuple[State, ...]:
    return byte_pairs.learn(text).states


def _figure(states: tuple[State, ...]) -> None:
    """The figure, or why there is nothing to merge."""
    if len(states) == 1:
        show.text(words("embedding_merges.nothing" if states[0].length else "embedding_merges.empty"))
        return
    step = controls.picked("merges", words("embedding_merges_figure.moment"), len(states), 0)
    drawn = [MergeState(each.words, each.vocabulary, _listed(each), each.ties) for each in states]
    with reserved_space.reserve("merges_room", *_room(states[0].length), marks=True):
        figure = MergesFigure(drawn, step, _texts(len(states) - 1))
        show.figure("byte_pairs", figure, files="byte-pairs", calls={"merges": _moved})
    show.caption(words("embedding_merges.limits"))


def _room(length: int) -> tuple[int, int]:
    """The heights to keep for a text of so many characters."""
    wide, slim = (rest + line * -(-length // held) for rest, line, held in (WIDE, SLIM))
    return wide, slim


def _listed(state: State) -> tuple[tuple[str, str, int], ...]:
    return tuple((*pair, count) for pair, count in state.pairs)


def _texts(merges: int) -> dict[str, str]:
    stopped = {"end": words("embedding_merges.stopped")} if merges == byte_pairs.MOST_MERGES else {}
    return section("embedding_merges_figure") | stopped


def _moved(step: int | None) -> None:
    if step is not None:
        view.choose(merges=step or None)
