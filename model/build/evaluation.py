"""Scores of a checkpoint on held-out data, with the measure of its task; BLEU and chrF by sacrebleu."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from sacrebleu.metrics import BLEU, CHRF

from corpora.corpus import Corpus
from corpora.pairs import Pair
from corpora.tasks.memorised_pairs import MemorisedPairs
from corpora.tasks.small_talk import SmallTalk
from corpora.tasks.user_text import WINDOW, Passage
from model.build import ngram
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.snapshots import Sample
from model.decode.recorded_pass import one_pass
from model.decode.translate import translate_all
from model.tokenization.tokenizer import BOS, HIDDEN_MARK, SPECIALS, UNK, Tokenizer
from model.train.objectives import OBJECTIVES, hide, restore
from model.transformer import Transformer

SHOWN = 5  # outputs of either kind in a card
TRANSLATES = (OBJECTIVES["encoder-decoder"].name, OBJECTIVES["decoder"].name)


@dataclass(frozen=True)
class Scores:
    """BLEU and chrF from 0 to 100, exact match as a share of 1, over `pairs` sentence pairs."""

    pairs: int
    bleu: float
    chrf: float
    exact: float
    bleu_signature: str
    chrf_signature: str

    def rounded(self) -> dict[str, object]:
        """For a card or a terminal."""
        fields = asdict(self)
        return fields | {"bleu": round(self.bleu, 2), "chrf": round(self.chrf, 2), "exact": round(self.exact, 4)}


def evaluate(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> Scores:
    """Translate every source greedily and hold it against its reference.

    A decoder alone is held to going on with the reference, an encoder alone to finding hidden words of the source.
    """
    if checkpoint.model.config.architecture == "encoder":
        sentences = [checkpoint.tokenizer.decode(checkpoint.tokenizer.encode(pair.source)) for pair in pairs]
        return score(restore(checkpoint, sentences), sentences)
    return score(translate_all(checkpoint, [pair.source for pair in pairs]), [pair.target for pair in pairs])


def score(outputs: Sequence[str], references: Sequence[str]) -> Scores:
    """Corpus scores of outputs against one reference each."""
    bleu, chrf = BLEU(), CHRF()
    return Scores(
        pairs=len(references),
        bleu=bleu.corpus_score(outputs, [references]).score,
        chrf=chrf.corpus_score(outputs, [references]).score,
        exact=sum(o == r for o, r in zip(outputs, references, strict=True)) / max(1, len(references)),
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )


@dataclass(frozen=True)
class Judged:
    """Scores by test set, as a card tells them, and the first held-out outputs that are right and that are wrong."""

    scores: dict[str, dict[str, Any]]
    right: tuple[Sample, ...]
    wrong: tuple[Sample, ...]


def judge(checkpoint: Checkpoint, task: str, corpus: Corpus, most: int | None = None) -> Judged:
    """Every test set of the corpus, or the first `most` cases of each."""
    scores: dict[str, dict[str, Any]] = {}
    samples: list[Sample] = []
    if isinstance(corpus, MemorisedPairs):
        scores[f"{corpus.name}-seen"] = _exact(generated(checkpoint, corpus.train(0)))
    for name, pairs in corpus.tests().items():
        pairs = pairs[:most]
        outputs = _filled(checkpoint, pairs) if task == OBJECTIVES["encoder"].name else generated(checkpoint, pairs)
        samples += outputs
        if isinstance(corpus, Passage):
            scores[name] = _predicted(checkpoint, corpus, most)
        elif task == OBJECTIVES["encoder"].name:
            scores[name] = _hidden_word_scores(checkpoint, corpus, pairs)
        elif task in TRANSLATES:
            scores[name] = score([s.output for s in outputs], [s.reference for s in outputs]).rounded()
        else:
            scores[name] = _exact(outputs)
    right, wrong = ([s for s in samples if s.right is is_right][:SHOWN] for is_right in (True, False))
    return Judged(scores, tuple(right), tuple(wrong))


def generated(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[Sample]:
    """Let the model write an output for each source; each sample has it beside the reference."""
    if not checkpoint.model.config.decoder_layers:
        return _filled(checkpoint, pairs)
    outputs = translate_all(checkpoint, [pair.source for pair in pairs])
    return [Sample(*pair, output, held_out=True) for pair, output in zip(pairs, outputs, strict=True)]


def _filled(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[Sample]:
    """Sources with some of their words hidden, and what an encoder alone puts there."""
    tokenizer = checkpoint.tokenizer
    sentences = [tokenizer.decode(tokenizer.encode(pair.source)) for pair in pairs]
    sources = hidden(tokenizer, sentences)
    outputs = restore(checkpoint, sentences)
    return [Sample(*line, held_out=True) for line in zip(sources, sentences, outputs, strict=True)]


def hidden(tokenizer: Tokenizer, sentences: Sequence[str]) -> list[str]:
    """Each sentence with a mark for some of its words, those that `restore` hides."""
    rng = random.Random(0)
    return [_with_marks(tokenizer, hide(ids, rng)[0]) for ids in tokenizer.encode_all(list(sentences))]


def _with_marks(tokenizer: Tokenizer, ids: Sequence[int]) -> str:
    """A sentence of whole words with a mark for each hidden one."""
    tokens = (HIDDEN_MARK if id_ == UNK else token for id_, token in zip(ids, tokenizer.tokens(ids), strict=True))
    return " ".join(token for token in tokens if token not in SPECIALS)


def _exact(samples: Sequence[Sample]) -> dict[str, Any]:
    share = sum(sample.right for sample in samples) / max(1, len(samples))
    return {"pairs": len(samples), "exact": round(share, 4)}


def _hidden_word_scores(checkpoint: Checkpoint, corpus: Corpus, pairs: Sequence[Pair]) -> dict[str, Any]:
    """How many hidden words are found, beside always naming the one that training has most often."""
    encode = checkpoint.tokenizer.encode_all
    counts = Counter(id_ for ids in encode([pair.source for pair in corpus.train(0)]) for id_ in ids[1:-1])
    most_frequent = counts.most_common(1)[0][0]
    rng = random.Random(0)
    right = right_by_frequency = total = 0
    possible = 0.0
    for ids in encode([pair.source for pair in pairs]):
        read_ids, expected_ids = hide(ids, rng)
        likeliest = one_pass(checkpoint.model, read_ids, ())
        if isinstance(corpus, SmallTalk):
            tokens = checkpoint.tokenizer.tokens(read_ids)[1:-1]
            possible += sum(map(bool, expected_ids)) * corpus.possible(
                [None if t == SPECIALS[UNK] else t for t in tokens]
            )
        for token, expected in zip(likeliest.argmax(-1).tolist(), expected_ids, strict=True):
            if expected:
                total += 1
                right += token == expected
                right_by_frequency += most_frequent == expected
    return {
        "pairs": len(pairs),
        "hidden": total,
        "accuracy": round(right / total, 4),
        "most_frequent": round(right_by_frequency / total, 4),
    } | ({"possible": round(possible / total, 4)} if possible else {})


def _predicted(checkpoint: Checkpoint, corpus: Passage, most: int | None = None) -> dict[str, Any]:
    """Bits per character of the held-out text, beside the best n-gram model of the same training text."""
    text = corpus.tail if most is None else corpus.tail[: most * WINDOW]
    order, baseline = ngram.best(corpus.head, text)
    bits = bits_per_character(checkpoint.model, checkpoint.tokenizer, text)
    return {"characters": len(text), "bits": round(bits, 3), "ngram_bits": round(baseline, 3), "ngram_order": order}


def bits_per_character(model: Transformer, tokenizer: Tokenizer, text: str) -> float:
    """Mean surprise, in bits, of each character of a text, told at most the `WINDOW` before it.

    Windows overlap by half, so that every character but the first ones has half a window before it at least.
    """
    ids = tokenizer.pieces(text)
    half = WINDOW // 2
    total = 0.0
    for start in range(0, max(1, len(ids) - half), half):
        window = ids[start : start + WINDOW]
        surprise = -one_pass(model, (), [BOS, *window[:-1]]).log_softmax(-1)  # (T, V)
        new = surprise.gather(1, torch.tensor(window)[:, None])[half if start else 0 :]
        total += float(new.sum())
    return total / math.log(2) / len(ids)
