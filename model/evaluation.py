"""Scores of translations against references, by sacrebleu."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sacrebleu.metrics import BLEU, CHRF

from model.checkpoints import Checkpoint
from model.corpora.pairs import Pair
from model.tasks import restore
from model.translation import translate_all


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
