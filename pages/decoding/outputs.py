"""A sentence decoded: how the next word is chosen, the outputs forked from each other, and which one is looked at."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from model.checkpoint import catalogue
from model.decode import forced_tokens, loop, start
from model.decode import sampling as decode_sampling
from model.errors import InvalidInput
from model.tokenizer import EOS
from model.trace import Trace
from pages.shared.models import cache as models
from pages.shared.models import current, warmup
from pages.shared.models.ending import begin
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import script_run, view
from pages.shared.text import notices
from pages.shared.text.words import words
from pages.shared.ui import controls

LEAVES = 20  # outputs of the tree, the first one counted
FEWEST, MOST, USUAL = 1, 20, 6  # candidates of a step
TEMPERATURES, TOP_P = (0.1, 2.0), (0.05, 1.0)
USUAL_TOP_P = 0.9  # without a cut, the words that label smoothing keeps likely soon spoil an output
TOP_K = (0, 1, 2, 3, 5, 10, 20, 50)


@dataclass(frozen=True)
class Branch:
    """One output: what was forced in it, and all that was written."""

    fork: forced_tokens.Forced
    run: loop.Decoded
    tokens: tuple[str, ...]

    @property
    def forced(self) -> frozenset[int]:
        return frozenset(step for step, _ in self.fork)


@dataclass(frozen=True)
class Decoding:
    """All outputs of the sentence, the first without a forced word, and the one that is looked at, step by step."""

    current_run: CurrentRun
    start: start.DecodingStart
    sampling: decode_sampling.Sampling | None
    branches: tuple[Branch, ...]
    leaf: int
    step: int
    count: int  # candidates shown

    @property
    def branch(self) -> Branch:
        return self.branches[self.leaf]

    @property
    def entry(self) -> catalogue.Entry:
        return self.current_run.entry

    @property
    def read(self) -> tuple[str, ...]:
        """The tokens that the decoder has read at this step, the prompt first."""
        return models.tokenizer(self.entry).tokens((*self.start.prompt, *self.branch.run.ids[: self.step]))

    @property
    def row(self) -> int:
        """This step's row in the trace."""
        return len(self.start.prompt) - 1 + self.step

    @property
    def trace(self) -> Trace:
        """One pass over everything that this output's decoder read."""
        return trace(self.entry, self.current_run.sentence, self.branch.run.ids)


def writes() -> bool:
    """Whether the model in view has a decoder; what is wrong with a damaged one the page says itself."""
    with suppress(InvalidInput):
        entry = current.entry()
        return entry is None or _has_decoder(entry)
    return True


def _has_decoder(entry: catalogue.Entry) -> bool:
    return entry.config["architecture"] != "encoder"


def decoding(current_run: CurrentRun) -> Decoding | None:
    """Decode as the controls say, drawing them; None where the model writes nothing, which is then said."""
    if not _has_decoder(current_run.entry):
        _no_decoder()
        return None
    with warmup.spinner():
        start = begin(current_run.entry, current_run.sentence)
    with st.container(horizontal=True, vertical_alignment="bottom", key="way_controls"):
        sampling = _sampling()
        count = controls.slider("k", words("decoding.k"), FEWEST, MOST, USUAL)
    branches = [run(current_run.entry, current_run.sentence, fork, sampling) for fork in _forks(current_run, sampling)]
    leaf = controls.picked("leaf", words("decoding.leaf"), len(branches), default=len(branches) - 1)
    last = len(branches[leaf].run.ids) - 1
    # outputs differ in length, so a step that this one lacks is its last
    step = min(controls.picked("step", words("decoding.step"), 10_000, default=0), last)
    return Decoding(current_run, start, sampling, tuple(branches), leaf, step, count)


def _no_decoder() -> None:
    """Why there is nothing to see, and a model that has it."""
    st.text(words("decoding.encoder"))
    others = {
        name: entry for name, entry in catalogue.sentence_models().items() if entry.is_sound() and _has_decoder(entry)
    }
    if others:
        other = catalogue.default(others)
        label = words("notice.use_other", name=notices.plain(other.name))
        choices = {"checkpoint": other.name, "attention_kind": None, "layer": None, "head": None}
        st.button(label, key="use_other", on_click=view.choose, kwargs=choices)


@models.cached(512)
def run(
    entry: catalogue.Entry, sentence: str, fork: forced_tokens.Forced, sampling: decode_sampling.Sampling | None
) -> Branch:
    """One output; raises `InvalidInput` where the fork asks for a step or a token that there is not."""
    checkpoint, start = models.checkpoint(entry), begin(entry, sentence)
    if fork:
        base = run(entry, sentence, fork[:-1], sampling).run
        decoded = forced_tokens.fork(checkpoint.model, start, base, *fork[-1], sampling)
    else:
        decoded = forced_tokens.follow(checkpoint.model, start, (), sampling)
    return Branch(fork, decoded, checkpoint.tokenizer.tokens(decoded.ids))


@models.weighed
def trace(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> Trace:
    """Everything that an output's decoder computed, all steps at once."""
    passed = forced_tokens.steps_of(models.checkpoint(entry), begin(entry, sentence), ids)
    return models.without_logits(entry, passed)


def _sampling() -> decode_sampling.Sampling | None:
    """How the next word is chosen: the likeliest, or drawn."""
    ways = {way: words(f"decoding_way.{way}") for way in ("greedy", "sample")}
    if controls.choice("way", words("decoding_way.way"), ways, "greedy") == "greedy":
        return None

    return decode_sampling.Sampling(
        temperature=controls.slider("temperature", words("decoding_way.temperature"), *TEMPERATURES, 1.0, 0.05),
        top_k=controls.steps("top_k", words("decoding_way.top_k"), TOP_K, 0, _all),
        top_p=_top_p(),
        seed=controls.number("draw", words("decoding_way.draw"), 0, 99_999, 0, 1),
    )


def _top_p() -> float:
    """A link that leaves it out was made when that meant all words, so the address always says which it is."""
    view.spell_out("top_p", TOP_P[1] if script_run.current().by_link else USUAL_TOP_P)
    return controls.slider("top_p", words("decoding_way.top_p"), *TOP_P, USUAL_TOP_P, 0.05)


def _all(count: int) -> str:
    return str(count) if count else words("decoding_way.all")


# forks


def _forks(current_run: CurrentRun, sampling: decode_sampling.Sampling | None) -> list[forced_tokens.Forced]:
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


def force(decoded: Decoding, step: int, ids: tuple[int, ...]) -> None:
    """Write these tokens from `step` of the output in view on, keep it beside the others, and look at it."""
    fork = decoded.branch.fork
    for place, id_ in enumerate(ids):
        fork = forced_tokens.extended(fork, step + place, id_)
    forks, dropped = _kept(decoded, fork)
    view.choose(**_choices(forks, fork, step))
    if dropped:
        _say_oldest()


def ended(decoded: Decoding, step: int) -> dict[str, object] | None:
    """The choices that end the output in view at a step, beside the others; None where it ends by then anyway."""
    ids = decoded.branch.run.ids
    fork = forced_tokens.extended(decoded.branch.fork, step, EOS)
    forks, dropped = _kept(decoded, fork)
    return None if dropped or step >= len(ids) or EOS in ids[: step + 1] else _choices(forks, fork, step)


def _kept(decoded: Decoding, new: forced_tokens.Forced) -> tuple[list[forced_tokens.Forced], bool]:
    """The forks with another one, the oldest left out where they are too many, and whether one was."""
    forks, dropped = [branch.fork for branch in decoded.branches[1:]], False
    if new not in forks:
        forks = [*forks, new]
    while len(forks) >= LEAVES or len(forced_tokens.spell_forks(forks)) > view.SETTING_LIMIT:
        forks, dropped = forks[1:], True
    return forks, dropped


def _choices(forks: list[forced_tokens.Forced], new: forced_tokens.Forced, step: int) -> dict[str, object]:
    return {"forks": forced_tokens.spell_forks(forks), "leaf": forks.index(new) + 1, "step": step}


def _say_oldest() -> None:
    view.refuse("decoding_forks.oldest", None, limit=LEAVES)


def undo(decoded: Decoding) -> None:
    """Take the newest output away."""
    forks = [branch.fork for branch in decoded.branches[1:-1]]
    view.choose(forks=forced_tokens.spell_forks(forks) or None, leaf=None)


def name(decoded: Decoding, number: int) -> str:
    """What an output is called: by the words that were forced in it."""
    branch = decoded.branches[number]
    if not branch.fork:
        return words("decoding_forks.first")
    places = [words("decoding_forks.place", step=step, token=branch.tokens[step]) for step in sorted(branch.forced)]
    return f"{number} · {words('notice.between').join(places)}"
