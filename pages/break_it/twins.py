"""The broken model and its healthy twin, both reading the sentence in view; cached for all sessions."""

from __future__ import annotations

from dataclasses import dataclass

from model.checkpoint import catalogue, checkpoints
from model.decode import translate
from model.mistakes import known_mistakes, metrics, twins
from pages.shared.models import models, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import name, words

SEED = 0  # of a stand-in's random weights
SYSTEMS = {"B": "pre-norm", "C": "notebook", "D": "textbook"}  # the letters of docs/systems.md
EXAMPLE = "worked_example"  # a published number that is wrong, and no line of code


@dataclass(frozen=True, eq=False)
class Case:
    """One mistake in one model, and what both twins read.

    obstacle     why it is not the model in use that is broken, or None
    """

    key: str
    current_run: CurrentRun
    twins: dict[str, metrics.Twin]  # "healthy" and "broken"
    sample: metrics.Sample
    obstacle: str | None

    def tokens(self, side: str, which: str = "healthy") -> tuple[str, ...]:
        """Tokens that a stack reads."""
        same = side == "encoder" and self.twins[which].same_ids
        ids = self.sample.target if side == "decoder" or same else self.sample.source
        return models.tokenizer(self.current_run.entry).tokens(ids, begins=True)


def mistakes() -> dict[str, known_mistakes.Mistake]:
    """All of them; the first call waits for torch."""
    with warmup.spinner():
        return known_mistakes.MISTAKES


def possible(entry: catalogue.Entry) -> list[str]:
    """The mistakes that can be made in a model."""
    return [key for key, mistake in mistakes().items() if twins.obstacle(mistake, entry.config) is None]


def case(current_run: CurrentRun, key: str) -> Case:
    """The mistake in the model in use, or in a stand-in that reads the same sentence."""
    mistake = mistakes()[key]
    run = models.run(current_run.entry, current_run.sentence)
    hindrance = twins.obstacle(mistake, current_run.entry.config)
    if hindrance in (None, "raises"):
        healthy, broken = _made_in(current_run.entry, key)
    else:
        healthy, broken = _stand_in(models.tokenizer(current_run.entry).size, key)
    source = list(run.source) or models.tokenizer(current_run.entry).encode(current_run.sentence)
    read = twins.sample(healthy, source, list(run.target))
    return Case(key, current_run, {"healthy": healthy, "broken": broken}, read, hindrance)


@models.cached
def _made_in(entry: catalogue.Entry, key: str) -> tuple[metrics.Twin, metrics.Twin]:
    model = models.checkpoint(entry).model
    if mistakes()[key].raises:
        healthy = metrics.Twin(metrics.sharing(model, model.config))
        return healthy, healthy
    return twins.twins_in(mistakes()[key], model)


@models.cached
def _stand_in(vocabulary: int, key: str) -> tuple[metrics.Twin, metrics.Twin]:
    return twins.stand_in(mistakes()[key], vocabulary, SEED)


@models.cached(beside="always")
def measured(entry: catalogue.Entry, sentence: str, key: str) -> list[tuple[str, float, float]]:
    """The numbers of both twins by name, measured on this sentence."""
    case_, mistake = case(CurrentRun(entry, sentence), key), mistakes()[key]
    measure = mistake.measure
    assert measure is not None
    assert not mistake.learns  # which would change the twins that all sessions share
    healthy, broken = (measure(twin, case_.sample) for twin in case_.twins.values())
    return [(number, value, broken[number]) for number, value in healthy.items()]


def output(case_: Case, which: str) -> tuple[str, ...] | None:
    """The tokens that a twin writes by itself; None for a model that writes nothing, or that stands in."""
    config = case_.current_run.entry.config
    if case_.obstacle is not None or config.architecture == "encoder":
        return None
    ids = _generated(case_.current_run.entry, case_.key, which, case_.current_run.sentence)
    return models.tokenizer(case_.current_run.entry).tokens(ids, begins=config.architecture != "decoder")


@models.cached(beside="if free")
def _generated(entry: catalogue.Entry, key: str, which: str, sentence: str) -> tuple[int, ...]:
    twin = _made_in(entry, key)[which == "broken"]
    whole = models.checkpoint(entry)
    run = translate.translate(
        checkpoints.Checkpoint(whole.name, twin.model, whole.tokenizer, trained=whole.trained), sentence, tap=twin.tap()
    )
    return run.target[1:]


def seen_in(mistake: known_mistakes.Mistake) -> str:
    """Where it was found, in words."""
    if mistake.seen_in not in ("all", "common"):
        systems = [name("presets", SYSTEMS[letter]) for letter in mistake.seen_in.split(", ")]
        return words("break.seen_in", systems=words("notice.between").join(systems))
    return words(f"break.seen_{mistake.seen_in}")
