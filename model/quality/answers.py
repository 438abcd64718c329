"""What a model answers to a sentence, with probabilities: an output, a continuation, words for hidden ones, or a label.

T tokens of the answer, V of the vocabulary or labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.analysis import predictions
from model.analysis.softmax import log_softmax
from model.attribution.why_question import answer_trace, row_logits
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit.edit_effects import first_step
from model.tokenization.token_text import is_special
from model.tokenization.tokenizer import UNK
from model.trace import LOGITS

AT_ONCE = 16  # sentences of a pass that have one token hidden each


class Answer(NamedTuple):
    """The answer's text; of each of its tokens, or of the label, log p and the entropy of the distribution, (T), nats.

    first   the row that writes the first token
    """

    text: str
    logs: np.ndarray
    entropies: np.ndarray
    first: int = 0


def can_answer(config: TransformerConfig) -> bool:
    """Whether the model writes, fills in hidden words, or gives a sentence one label of several."""
    if config.labels:
        return config.label_kind == "one" and not config.label_each
    return bool(config.target_vocabulary)


def answer(checkpoint: Checkpoint, run: Translation) -> Answer:
    """The answer that a pass gives.

    A decoder alone answers with what it adds to the sentence. An encoder alone answers with its likeliest label, or
    with the sentence, its hidden words filled in. Where none is hidden, each token of the sentence is in turn, and
    log p is that of the token itself: their sum is the pseudo-log-likelihood (Salazar et al. 2020).
    """
    config = checkpoint.model.config
    if config.architecture != "encoder":
        first = first_step(checkpoint, run)
        ids = run.ids[first:]
        text = run.text if first == 0 else checkpoint.tokenizer.decode(ids)
        logs = predictions.log_probabilities(run.trace, ids, first)
        return Answer(text, logs, _entropies(run.trace.values[LOGITS][first:]), first)
    if config.labels:
        return _likeliest(answer_trace(run).values[LOGITS], config.labels)
    hidden = [row for row, id_ in enumerate(run.source) if id_ == _mask(checkpoint)]
    if hidden:
        return _likeliest(run.trace.values[LOGITS][hidden])._replace(text=run.text)
    rows = [row for row, token in enumerate(run.trace.source_tokens) if not is_special(token)]
    return _each_hidden(checkpoint, run.source, rows or range(len(run.source)))


def _likeliest(logits: np.ndarray, names: Sequence[str] = ()) -> Answer:
    """The answer that is the likeliest of each row of logits (T, V), and the name of the first one."""
    logs = log_softmax(logits)
    return Answer(names[int(logs[0].argmax())] if names else "", logs.max(axis=-1), _entropies(logits))


def _each_hidden(checkpoint: Checkpoint, source: Sequence[int], rows: Sequence[int]) -> Answer:
    """Log p of the tokens of a sentence at `rows` (T), each while it is hidden, and the entropies."""
    logs, entropies = [], []
    for start in range(0, len(rows), AT_ONCE):
        places = torch.tensor(rows[start : start + AT_ONCE])
        ids = torch.tensor([list(source)] * len(places))  # (B, S)
        asked = ids[0, places]
        ids[torch.arange(len(places)), places] = _mask(checkpoint)
        with torch.inference_mode():
            logits = row_logits(checkpoint.model, ids, None, None, places).cpu().numpy()  # (B, V)
        logs.append(np.take_along_axis(log_softmax(logits), asked.numpy()[:, None], axis=-1)[:, 0])
        entropies.append(_entropies(logits))
    return Answer("", np.concatenate(logs), np.concatenate(entropies))


def _mask(checkpoint: Checkpoint) -> int:
    """The id that hides a word."""
    return checkpoint.tokenizer.mask_id or UNK


def _entropies(logits: np.ndarray) -> np.ndarray:
    """Of the distribution of each row of logits (T, V), in nats, (T)."""
    logs = log_softmax(logits)
    entropies: np.ndarray = -(np.exp(logs) * logs).sum(axis=-1)
    return entropies
