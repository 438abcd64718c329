"""What the pass over one sentence shows of its output's quality: signals, each larger where there is more doubt.

T written tokens, S tokens of the source. After Fomicheva et al. (2020), "Unsupervised quality estimation for neural
machine translation", for those of the probabilities; the source's share after Ferrando et al. (2022).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np
from sacrebleu.metrics import CHRF

from model.attribution.source_share import vectors
from model.checkpoint.checkpoints import Checkpoint
from model.decode import doubt
from model.decode.doubt import IGNORED, Rule
from model.decode.translate import Translation, translate
from model.quality import answers, ranking
from model.quality.lines import Line
from model.tokenization.tokenizer import SPECIALS
from model.trace import TokenList, Trace

PROBABILITY = "surprise"  # the signal that is the probability of the output, with which others are compared


@dataclass(frozen=True)
class Judged:
    """The output for a line, and what its pass shows; None for what such a model does not have.

    output         of a decoder alone what it adds; of an encoder alone a label, or the sentence with its hidden words
                   filled in, which is empty where none is hidden
    chrf           0 to 100 against the reference, of a label 100 if it is that and else 0; None without a reference
    log_probability  mean log-probability of the tokens of the answer (`answers.answer`), in nats
    least          log-probability of the least likely of them, in nats
    entropy        mean of the distributions that they were taken from, in nats
    unseen         words that training never showed, `unseen_share` of all words of the sentence
    ignored        share of the source's words to which no row of any head gives more than `IGNORED`
    written        share that comes from what was written before, by ALTI+, mean over the written tokens
    repeated       share of the pairs of neighbouring written tokens that were written before
    ratio          written tokens for each token of the source
    mark           whether the output is marked as doubtful, as on every page
    doubt          the weighed signs of the rule behind the mark; None for a model without a rule
    """

    line: Line
    output: str
    chrf: float | None
    log_probability: float
    least: float
    entropy: float
    unseen: tuple[str, ...]
    unseen_share: float
    ignored: float | None
    written: float | None
    repeated: float | None
    ratio: float | None
    mark: bool | None
    doubt: float | None

    @property
    def probability(self) -> float:
        """The geometric mean of the probabilities of the answer's tokens."""
        return math.exp(self.log_probability)


def judged(checkpoint: Checkpoint, line: Line, rule: Rule | None) -> Judged:
    """Let the model write an output for a line, and judge it."""
    return of_run(checkpoint, line, translate(checkpoint, line.source), rule)


def of_run(checkpoint: Checkpoint, line: Line, run: Translation, rule: Rule | None) -> Judged:
    """Judge the output of a pass."""
    given = answers.answer(checkpoint, run)
    config, trace = checkpoint.model.config, run.trace
    nothing = config.architecture == "encoder" and not given.text  # no word was hidden
    read = trace.source_tokens or trace.target_tokens[: given.first + 1]
    row = Judged(
        line=line,
        output=given.text,
        chrf=None if line.reference is None or nothing else _agreement(given.text, line.reference, bool(config.labels)),
        log_probability=float(given.logs.mean()),
        least=float(given.logs.min()),
        entropy=float(given.entropies.mean()),
        unseen=tuple(dict.fromkeys((*run.unseen_words, *run.unknown_characters))),
        unseen_share=len(run.unseen_words) / max(1, len(_words(trace, read))),
        ignored=None, written=None, repeated=None, ratio=None, mark=None, doubt=None,
    )  # fmt: skip
    if config.architecture == "encoder":
        return row
    tokens = [*trace.target_tokens[given.first + 1 :], trace.output_tokens[-1]]
    tokens = [token for token in tokens if token not in SPECIALS]
    row = replace(
        row,
        repeated=_repeated(tokens),
        ratio=len(tokens) / max(1, len([token for token in read if token not in SPECIALS])),
    )
    if config.architecture == "decoder":
        return row
    looked_at = doubt.looked_at(trace)
    return replace(
        row,
        ignored=sum(share < IGNORED for _, share in looked_at) / max(1, len(looked_at)),
        written=float(1 - vectors.alti_shares(checkpoint.model, run).mean()),
        mark=doubt.doubt(run, rule) is not None,
        doubt=None if rule is None else rule.score(doubt.signs(run)),
    )


def _words(trace: Trace, read: Sequence[str]) -> list[str]:
    """The words of the sentence, of which the model read these tokens."""
    side: TokenList = "source_tokens" if trace.source_tokens else "target_tokens"
    return [word.text for word in trace.words(side, whole=True)
            if word.start < len(read) and doubt.is_word(read[word.start])]  # fmt: skip


def _agreement(output: str, reference: str, is_label: bool) -> float:
    """chrF, or of a label whether it is the one that is expected, 0 to 100."""
    if is_label:
        return 100.0 * (output.casefold() == reference.casefold())
    return float(CHRF().sentence_score(output, [reference]).score)


def _repeated(tokens: Sequence[str]) -> float:
    pairs = list(pairwise(tokens))
    return 1 - len(set(pairs)) / len(pairs) if pairs else 0.0


def table(rows: Sequence[Judged]) -> dict[str, np.ndarray]:
    """Each of the signals of N outputs, (N); without those that the model does not have.

    `length` is how far the ratio of lengths is from the usual one of these lines, |ln(ratio / median)|.
    """
    usual = median(row.ratio or 0.0 for row in rows)
    values: dict[str, list[float] | list[float | None]] = {
        PROBABILITY: [-row.log_probability for row in rows],
        "entropy": [row.entropy for row in rows],
        "least": [-row.least for row in rows],
        "unseen": [row.unseen_share for row in rows],
        "ignored": [row.ignored for row in rows],
        "written": [row.written for row in rows],
        "repeated": [row.repeated for row in rows],
        "length": [None if row.ratio is None else _distance(row.ratio, usual) for row in rows],
        "doubt": [row.doubt for row in rows],
    }
    return {name: np.array(each, dtype=float) for name, each in values.items() if None not in each}


def ranked(rows: Sequence[Judged], below: float) -> dict[str, ranking.Ranked]:
    """How well each signal finds the outputs with less chrF than `below`, the best first, beside the probability.

    Nothing where there are no references, or none or all of the outputs are so.
    """
    scores = [row.chrf for row in rows if row.chrf is not None]
    return ranking.ranked(table(rows), np.array(scores) < below, PROBABILITY) if len(scores) == len(rows) else {}


def _distance(ratio: float, usual: float) -> float:
    least = 1e-3  # an output without a token is as far away as can be, and not infinitely
    return abs(math.log(max(ratio, least) / max(usual, least)))
