"""The models that questions are asked of, and their runs."""

from functools import cache

from model.checkpoint import catalogue, checkpoints
from model.checkpoint.catalogue import Entry
from model.decode.translate import Translation, translate
from model.quiz.posed_question import PosedQuestion, QuizMaterial
from model.quiz.questions import offered
from model.transformer import Transformer

MODELS = (*catalogue.sentence_models(), *catalogue.untrained(0))


DRAWS = (1, 2, 3)


def entry(name: str) -> Entry:
    return (catalogue.sentence_models() | catalogue.untrained(0))[name]


@cache
def run(name: str) -> tuple[Transformer, Translation]:
    checkpoint = checkpoints.load(entry(name))
    return checkpoint.model, translate(checkpoint, entry(name).card["examples"][0])


@cache
def asked(model: str, numbers: int) -> dict[str, PosedQuestion]:
    return offered(lambda name: QuizMaterial(entry(model).config, run(model)[1].trace, numbers))
