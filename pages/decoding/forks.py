"""The forks as the link keeps them: read, added up to a limit, undone."""

from __future__ import annotations

from model.decode import forced_tokens, token_sampling
from model.errors import InvalidInput
from model.tokenization.tokenizer import EOS
from pages.decoding.output_list import Decoding, run
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import words

LEAVES = 20  # outputs of the tree, the first one counted


def of_link(current_run: CurrentRun, sampling: token_sampling.Sampling | None) -> list[forced_tokens.Forced]:
    """The outputs that the link asks for, the first without a forced word; what it asks for in vain is said."""
    text = view.setting("forks") or ""
    forks, bad = forced_tokens.read_forks(text)
    sound: list[forced_tokens.Forced] = [()]
    for fork in forks[1 - LEAVES :]:
        try:
            run(current_run.entry, current_run.sentence, fork, sampling)
        except InvalidInput:
            bad.append(forced_tokens.spell_forks([fork]))
        else:
            sound.append(fork)
    for part in bad:
        notices.say("warning", words("decoding_forks.bad", value=part[:40]))
        view.refuse("decoding_forks.bad", None, value=part)
    if len(forks) >= LEAVES:
        notices.say("warning", words("decoding_forks.oldest", limit=LEAVES))
        _say_oldest()
    if forced_tokens.spell_forks(sound[1:]) != text:
        _correct(forced_tokens.spell_forks(sound[1:]))
    return sound


def _correct(forks: str) -> None:
    """Leave out of the link what it asked for in vain."""
    view.forget("forks")
    if forks:
        view.correct("forks", forks)


def force(decoding: Decoding, step: int, ids: tuple[int, ...]) -> None:
    """Write these tokens from `step` of the output in view on, keep it beside the others, and look at it."""
    fork = decoding.branch.fork
    for place, id_ in enumerate(ids):
        fork = forced_tokens.extended(fork, step + place, id_)
    forks, dropped = _kept(decoding, fork)
    view.choose(**_choices(forks, fork, step))
    if dropped:
        _say_oldest()


def ended(decoding: Decoding, step: int) -> dict[str, object] | None:
    """The choices that end the output in view at a step, beside the others; None where it ends by then anyway."""
    ids = decoding.branch.run.ids
    fork = forced_tokens.extended(decoding.branch.fork, step, EOS)
    forks, dropped = _kept(decoding, fork)
    return None if dropped or step >= len(ids) or EOS in ids[: step + 1] else _choices(forks, fork, step)


def _kept(decoding: Decoding, new: forced_tokens.Forced) -> tuple[list[forced_tokens.Forced], bool]:
    """The forks with another one, the oldest left out where they are too many, and whether one was."""
    forks, dropped = [branch.fork for branch in decoding.branches[1:]], False
    if new not in forks:
        forks = [*forks, new]
    while len(forks) >= LEAVES or len(forced_tokens.spell_forks(forks)) > view.SETTING_LIMIT:
        forks, dropped = forks[1:], True
    return forks, dropped


def _choices(forks: list[forced_tokens.Forced], new: forced_tokens.Forced, step: int) -> dict[str, object]:
    return {"forks": forced_tokens.spell_forks(forks), "leaf": forks.index(new) + 1, "step": step}


def _say_oldest() -> None:
    view.refuse("decoding_forks.oldest", None, limit=LEAVES)


def undo(decoding: Decoding) -> None:
    """Take the newest output away."""
    forks = [branch.fork for branch in decoding.branches[1:-1]]
    view.choose(forks=forced_tokens.spell_forks(forks) or None, leaf=None)
