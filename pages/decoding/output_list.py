"""The outputs of a sentence, branched from each other by forced words."""

from __future__ import annotations

from dataclasses import dataclass

from model.checkpoint import catalogue
from model.decode import decoding_loop, forced_tokens, start, token_sampling
from model.trace import Trace
from pages.shared.models import models
from pages.shared.models.ending import begin
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import words


@dataclass(frozen=True)
class Branch:
    """One output: what was forced in it, and all that was written."""

    forcing: forced_tokens.Forced
    run: decoding_loop.Decoded
    tokens: tuple[str, ...]

    @property
    def forced(self) -> frozenset[int]:
        return frozenset(step for step, _ in self.forcing)


@dataclass(frozen=True)
class Decoding:
    """All outputs of the sentence, the first without a forced word, and the one that is looked at, step by step."""

    current_run: CurrentRun
    start: start.DecodingStart
    sampling: token_sampling.Sampling | None
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
        ids = (*self.start.prompt, *self.branch.run.ids[: self.step])
        return models.tokenizer(self.entry).tokens(ids, begins=True)

    @property
    def is_given(self) -> bool:
        """Whether this model begins every output with the token of this step, such as its language."""
        return not self.step and bool(self.entry.config.first_output_token)

    @property
    def row(self) -> int:
        """This step's row in the trace."""
        return len(self.start.prompt) - 1 + self.step

    @property
    def trace(self) -> Trace:
        """One pass over everything that this output's decoder read."""
        return trace(self.entry, self.current_run.sentence, self.branch.run.ids)


# a page asks for many branches and draws, and would stand in line after each
@models.cached(beside=lambda entry, sentence, forcing, sampling: not forcing and sampling is None)
def run(
    entry: catalogue.Entry, sentence: str, forcing: forced_tokens.Forced, sampling: token_sampling.Sampling | None
) -> Branch:
    """One output; raises `InvalidInput` where the branch asks for a step or a token that there is not."""
    checkpoint, start = models.checkpoint(entry), begin(entry, sentence)
    if forcing:
        base = run(entry, sentence, forcing[:-1], sampling).run
        output = forced_tokens.branch(checkpoint.model, start, base, *forcing[-1], sampling)
    else:
        output = forced_tokens.follow(checkpoint.model, start, (), sampling)
    return Branch(forcing, output, checkpoint.tokenizer.tokens(output.ids, begins=bool(start.source)))


def trace(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> Trace:
    """Everything that an output's decoder computed, all steps at once."""
    translation, start = models.run(entry, sentence), begin(entry, sentence)
    if (translation.source, translation.target) == (start.source, start.read(ids)):
        return translation.trace  # of the same pass
    return _trace(entry, sentence, ids)


@models.cached
def _trace(entry: catalogue.Entry, sentence: str, ids: tuple[int, ...]) -> Trace:
    full = forced_tokens.steps_of(models.checkpoint(entry), begin(entry, sentence), ids)
    return models.without_logits(entry, full)


def name(decoding: Decoding, number: int) -> str:
    """Name an output by the words that were forced in it."""
    branch = decoding.branches[number]
    if not branch.forcing:
        return words("decoding_forks.first")
    places = [words("decoding_forks.place", step=step, token=branch.tokens[step]) for step in sorted(branch.forced)]
    return f"{number} · {words('notice.between').join(places)}"
