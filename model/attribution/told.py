"""What can be said of one question, as plain numbers: each view has what the page of causes shows under that name.

NaN, where a method says nothing of a word, becomes None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from model.attribution import attention_methods, logit_parts, trust, why_question
from model.attribution.leave_one_out import compared, ordinary
from model.attribution.method_names import FEWEST, METHODS, REFERENCE
from model.attribution.methods import attribution
from model.attribution.paths import faithfulness, graph, pruning
from model.attribution.paths.edge_counts import SIZES
from model.attribution.score_terms.told import head_named
from model.attribution.source_share import deletions, vectors, zeroing
from model.attribution.why_question import Question
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import InvalidInput
from model.trace import LOGITS


def asked(checkpoint: Checkpoint, sentence: str, step: int, rather: int | None = None, whole: bool = False) -> Question:
    """The question about the written token `step`, and not the token `rather`. Raises `InvalidInput` without these."""
    if not why_question.can_ask(checkpoint):
        raise InvalidInput("attribution_vectors", name=checkpoint.name)
    run = translate(checkpoint, sentence)
    choosable = why_question.asked_about(checkpoint, run)
    if not 0 <= step < len(choosable):
        raise InvalidInput("why_step", step=step, last=len(choosable) - 1)
    choices = why_question.answer_trace(run).values[LOGITS].shape[-1]
    if rather is not None and not 0 <= rather < choices:
        raise InvalidInput("why_rather", id=rather, last=choices - 1)
    return Question(run, *choosable[step], rather, whole)


def about(checkpoint: Checkpoint, question: Question) -> dict[str, Any]:
    """The token asked about, its score, and the words to choose from; of a label of each token also the token."""
    config, ids = checkpoint.model.config, [question.word]
    [token] = [config.labels[id_] for id_ in ids] if config.labels else checkpoint.tokenizer.tokens(ids)
    kind = config.label_kind if config.labels else ""
    inputs = [{"side": word.side, "word": word.text} for word in why_question.input_words(question)]
    trace = question.run.trace
    at = {"at": trace.source_tokens[question.row]} if len(trace.values.get("labels", ())) > 1 else {}
    return {"output": question.run.text, "token": token, **at, "score": score(question, kind), "inputs": inputs}


def score(question: Question, kind: str) -> float:
    """The score of what is asked about, or how far it is above that of the alternative; kind as of `labels.kind_of`."""
    ids = [question.word] if question.rather is None else [question.word, question.rather]
    values = [why_question.score(question.run, kind, question.row, id_) for id_ in ids]
    return values[0] - sum(values[1:])


def words(checkpoint: Checkpoint, question: Question) -> dict[str, Any]:
    """Every method's value of each word, in the order of `inputs`."""
    return {"methods": {method: _plain(attribution(checkpoint, question, method)) for method in METHODS}}


def trusted(checkpoint: Checkpoint, question: Question) -> dict[str, Any]:
    """How the score falls as each method's words are deleted, and how far its order is that of leave-one-out."""
    values = {method: attribution(checkpoint, question, method) for method in METHODS}
    result: dict[str, Any] = {"methods": {method: _plain(each) for method, each in values.items()}}
    values = trust.with_values(values)
    if len(ordinary(question)) >= FEWEST:
        reference, places = values[REFERENCE], compared(question)
        curves = trust.deletion_curves(checkpoint, question, values)
        result["curves"] = {name: _plain(curve) for name, curve in curves.items()}
        result["correlation"] = {
            name: _plain(np.array([trust.agreement(each, reference, places)]))[0] for name, each in values.items()
        }
        result["first"] = {name: trust.same_first(each, reference, places) for name, each in values.items()}
    return result


def parts(checkpoint: Checkpoint, question: Question) -> dict[str, Any]:
    """The logit as a sum of parts by name, its strongest paths, and the model with so many of these alone."""
    model = checkpoint.model
    if not logit_parts.can_split(model):
        raise InvalidInput("why_parts", name=checkpoint.name)
    side = attention_methods.own_kind(question)
    split, whole = logit_parts.split_logit(model, question), graph.contribution_graph(model, question)
    edges = pruning.strongest(whole, SIZES[-1])
    ways, sizes = faithfulness.ways(checkpoint), (0, *SIZES)
    logits = faithfulness.logits_by_size(checkpoint, question, whole, edges, ways, sizes)
    return {
        "logit": split.logit,
        "parts": {part.recorded(side): part.value for part in split.parts},
        "paths": [{"part": edge.part, "row": edge.row, "key": edge.key, "value": edge.value} for edge in edges],
        "kept": {"edges": list(sizes)} | {way: _plain(row) for (way, _), row in zip(ways, logits, strict=True)},
    }


def origin(checkpoint: Checkpoint, question: Question) -> dict[str, Any]:
    """The source's share of each written token, by method."""
    if not (question.source and question.target):
        raise InvalidInput("why_origin", name=checkpoint.name)
    run = question.run
    tokens = list(run.trace.output_tokens)
    by_method = {"leave_one_out": _by_deletion, "value_zeroing": _by_zeroing,
                 "norms": lambda checkpoint, question: vectors.norm_shares(checkpoint.model, run),
                 "alti": lambda checkpoint, question: vectors.alti_shares(checkpoint.model, run)}  # fmt: skip
    return {"tokens": tokens, "share": {name: _plain(of(checkpoint, question)) for name, of in by_method.items()}}


def _by_deletion(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    run = question.run
    before = deletions.words_before(run, whole=question.whole)
    every, size = deletions.deletable(run, before), deletions.at_once(checkpoint, run)
    batches = [every[start : start + size] for start in range(0, len(every), size)]
    falls = np.concatenate([deletions.falls_without(checkpoint, run, batch) for batch in batches])
    return deletions.shares(before, dict(zip(every, falls, strict=True)))


def _by_zeroing(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    run, layers = question.run, range(checkpoint.model.config.decoder_layers)
    count, size = len(run.target) + len(run.source), zeroing.at_once(checkpoint, run)
    batches = [range(start, min(start + size, count)) for start in range(0, count, size)]
    moved = [np.concatenate([zeroing.moved(checkpoint, run, layer, each) for each in batches]) for layer in layers]
    return zeroing.shares(np.stack(moved), len(run.target))


def of_head(checkpoint: Checkpoint, question: Question, name: str) -> dict[str, Any]:
    """Where the head `cross.1.0` looks, by word, and what it took from each for the logit, where the logit is a sum."""
    place = head_named(question.run.trace, checkpoint.model.config.heads, name)
    looks = why_question.by_word(question, attention_methods.head_weights(question, *place))
    result = {"looks": _plain(looks)}
    if logit_parts.can_split(checkpoint.model):
        taken = logit_parts.split_head(checkpoint.model, question, *place)
        result["takes"] = _plain(why_question.by_word(question, taken))
    return result


VIEWS: dict[str, Callable[[Checkpoint, Question], dict[str, Any]]] = {
    "words": words, "trust": trusted, "parts": parts, "origin": origin,
}  # fmt: skip


def _plain(values: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]
