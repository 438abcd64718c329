"""The branches as the link keeps them: read, added up to a limit, undone."""

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
    branches, bad = forced_tokens.read_branches(text)
    sound: list[forced_tokens.Forced] = [()]
    for forcing in branches[1 - LEAVES :]:
        try:
            run(current_run.entry, current_run.sentence, forcing, sampling)
        except InvalidInput:
            bad.append(forced_tokens.spell_branches([forcing]))
        else:
            sound.append(forcing)
    for part in bad:
        notices.say("warning", words("decoding_forks.bad", value=part[:40]))
        view.refuse("decoding_forks.bad", None, value=part)
    if len(branches) >= LEAVES:
        notices.say("warning", words("decoding_forks.oldest", limit=LEAVES))
        _say_oldest()
    if forced_tokens.spell_branches(sound[1:]) != text:
        _correct(forced_tokens.spell_branches(sound[1:]))
    return sound


def _correct(branches: str) -> None:
    """Leave out of the link what it asked for in vain."""
    view.forget("forks")
    if branches:
        view.correct("forks", branches)


def force(decoding: Decoding, step: int, ids: tuple[int, ...]) -> None:
    """Write these tokens from `step` of the output in view on, keep it beside the others, and look at it."""
    forcing = decoding.branch.forcing
    for place, id_ in enumerate(ids):
        forcing = forced_tokens.extended(forcing, step + place, id_)
    branches, dropped = _kept(decoding, forcing)
    view.choose(**_choices(branches, forcing, step))
    if dropped:
        _say_oldest()


def ended(decoding: Decoding, step: int) -> dict[str, object] | None:
    """The choices that end the output in view at a step, beside the others; None where it ends by then anyway."""
    ids = decoding.branch.run.ids
    forcing = forced_tokens.extended(decoding.branch.forcing, step, EOS)
    branches, dropped = _kept(decoding, forcing)
    return None if dropped or step >= len(ids) or EOS in ids[: step + 1] else _choices(branches, forcing, step)


def _kept(decoding: Decoding, new: forced_tokens.Forced) -> tuple[list[forced_tokens.Forced], bool]:
    """The branches with another one, the oldest left out where they are too many, and whether one was."""
    branches, dropped = [branch.forcing for branch in decoding.branches[1:]], False
    if new not in branches:
        branches = [*branches, new]
    while len(branches) >= LEAVES or len(forced_tokens.spell_branches(branches)) > view.SETTING_LIMIT:
        branches, dropped = branches[1:], True
    return branches, dropped


def _choices(branches: list[forced_tokens.Forced], new: forced_tokens.Forced, step: int) -> dict[str, object]:
    return {"forks": forced_tokens.spell_branches(branches), "leaf": branches.index(new) + 1, "step": step}


def _say_oldest() -> None:
    view.refuse("decoding_forks.oldest", None, limit=LEAVES)


def undo(decoding: Decoding) -> None:
    """Take the newest output away."""
    branches = [branch.forcing for branch in decoding.branches[1:-1]]
    view.choose(forks=forced_tokens.spell_branches(branches) or None, leaf=None)
