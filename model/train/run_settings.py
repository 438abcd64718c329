"""The settings of a training run: task, model, training, their defaults and limits."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, get_args

from corpora.tasks import sequences
from corpora.tasks.modular import GIVEN
from model import presets
from model.errors import InvalidInput
from model.train.trainer import Schedule, TrainingSettings

Task = Literal[
    "dates", "reverse", "copy", "sort", "addition", "spread", "repeat", "modular", "notebook", "grammar", "chinese",
    "text", "own",
]  # fmt: skip
TASKS: tuple[Task, ...] = get_args(Task)
ALONE: tuple[Task, ...] = ("spread", "repeat", "modular", "text")  # of a decoder alone
GRAMMARS: dict[str, str] = {"grammar": "de", "chinese": "zh"}  # tasks that translate, with the source language
TRANSLATED: dict[str, str] = {**GRAMMARS, "notebook": "de"}  # all that translate into English, with theirs
BUCKET = 8  # tokens by which sources of one batch may differ
SENTENCES = 4  # of a text, at most


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """One run. `preset` names a system whose other choices (biases, norm kind, init, mask fill) are taken.

    `own` is the pasted text or the table of pairs; `sentence` is the one whose attention is watched, the task's
    first if empty. `letters` is how many a word has at most, in the tasks of `LETTERS`; `sentences` how many a text of
    a grammar has. `shuffled` gives every source of the notebook's task another one's target. Without `causal_mask`
    the decoder sees the future while it learns; when it writes there is none to see.
    """

    task: Task = "dates"
    preset: str = ""
    architecture: Literal["encoder-decoder", "decoder"] = "encoder-decoder"
    d_model: int = 64
    heads: int = 2
    key_value_heads: int = 0
    encoder_layers: int = 2
    decoder_layers: int = 1
    d_ff: int = 192
    norm: Literal["pre", "post", "none"] = "pre"
    norm_kind: Literal["torch", "textbook", "rms"] = "torch"
    activation: Literal["relu", "gelu", "silu"] = "relu"
    gated: bool = False
    position: Literal["sinusoidal", "learned", "relative", "rotary", "alibi", "none"] = "sinusoidal"
    position_base: float = (
        50.0  # the paper's 10,000 is for longer texts: half of its waves hardly turn in 30 characters
    )
    scale_embedding: bool = True
    causal_mask: bool = True
    dropout: float = 0.0
    learning_rate: float = 4e-3
    warmup: int = 100
    schedule: Schedule = "cosine"
    tokens_per_batch: int = 900
    steps: int = 1400
    label_smoothing: float = 0.0
    weight_decay: float = 0.0
    average: float = 0.99
    seed: int = 0
    shuffled: bool = False
    letters: int = sequences.LONGEST
    sentences: int = 1
    own: str = ""
    sentence: str = ""

    @property
    def alone(self) -> bool:
        """Whether a decoder alone learns the task."""
        return self.task in ALONE or self.architecture == "decoder"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of one run."""

    parameters: int = 10_000_000
    steps: int = 20_000
    seconds: float = 1800.0
    tokens_per_batch: int = 20_000


LIMITS = Limits()
DEFAULTS: dict[Task, RunSettings] = {
    "dates": RunSettings(position_base=100.0),  # its texts are the longest; with 50 not every seed learns all
    "reverse": RunSettings(task="reverse", heads=4, steps=1200),
    "copy": RunSettings(task="copy", steps=600),
    "sort": RunSettings(task="sort", heads=4, steps=1600),
    "addition": RunSettings(task="addition", heads=4, steps=2000),
    "spread": RunSettings(
        task="spread", architecture="decoder", d_model=16, heads=2, d_ff=32, encoder_layers=0, decoder_layers=1,
        steps=2000, tokens_per_batch=1200,
    ),
    # one head in each layer, so that each has one thing to do; rotary positions show it soonest
    "repeat": RunSettings(
        task="repeat", architecture="decoder", d_model=64, heads=1, d_ff=128, encoder_layers=0, decoder_layers=2,
        position="rotary", position_base=50.0, learning_rate=4e-3, warmup=50, steps=600, tokens_per_batch=1200,
        average=0.9,
    ),
    # as in work on what such a model finds: without a norm, with weight decay, and long after all is known by heart
    "modular": RunSettings(
        task="modular", architecture="decoder", d_model=64, heads=4, d_ff=256, encoder_layers=0, decoder_layers=1,
        norm="none", position="learned", scale_embedding=False, learning_rate=3e-3, warmup=10, schedule="constant",
        steps=4000, tokens_per_batch=1800, weight_decay=0.6, average=0.9,
    ),
    "notebook": RunSettings(
        task="notebook", encoder_layers=1, learning_rate=5e-3, warmup=5, steps=40, average=0.5, tokens_per_batch=1800,
    ),
    "grammar": RunSettings(
        task="grammar", d_model=96, heads=4, encoder_layers=2, decoder_layers=2, learning_rate=3e-3,
        steps=1000, tokens_per_batch=1200, label_smoothing=0.1, position_base=10_000.0,
    ),
    "chinese": RunSettings(
        task="chinese", d_model=96, heads=4, encoder_layers=2, decoder_layers=2, learning_rate=3e-3,
        steps=1000, tokens_per_batch=1200, label_smoothing=0.1, position_base=10_000.0,
    ),
    "text": RunSettings(
        task="text", architecture="decoder", d_model=96, heads=4, d_ff=384, encoder_layers=0, decoder_layers=2,
        learning_rate=3e-3, steps=1000, tokens_per_batch=2000, dropout=0.05,
    ),
    "own": RunSettings(task="own", steps=1000, dropout=0.05),
}  # fmt: skip
NOTEBOOK_STEPS, NOTEBOOK_RATE = 300, 3e-4
LETTERS = ("reverse", "copy", "sort")  # tasks of words of letters


def grammar_for(language: str) -> Task:
    """The task that translates from a user's language; from German where there is none."""
    return "chinese" if language == GRAMMARS["chinese"] else "grammar"


def languages_of(task: Task) -> tuple[str, str]:
    """Source and target of a task; letters and months are English ones, and a user's own pairs are not known."""
    return ("", "") if task == "own" else (TRANSLATED.get(task, "en"), "en")


def of_preset(name: str, task: Task = "notebook", seed: int = 0) -> RunSettings:
    """A task with the model of a preset and its own training: the notebook's 300 steps of plain Adam, else the paper's.

    Raises `InvalidInput` for a preset that cannot write what the task asks for.
    """
    config = presets.find(name).config
    check_preset(task, name)
    same = {field.name for field in fields(RunSettings)} & set(asdict(config))
    usual = DEFAULTS[task]
    settings = replace(usual, preset=name, seed=seed, **{key: getattr(config, key) for key in same})
    if name == "notebook":
        return replace(
            settings,
            learning_rate=NOTEBOOK_RATE,
            warmup=0,
            steps=NOTEBOOK_STEPS,
            schedule="constant",
            average=0.0,
        )
    warmup = max(1, usual.steps // 5)
    rate = (config.d_model * 4000) ** -0.5  # what section 5.3 has after its 4,000 steps
    return replace(settings, learning_rate=rate, warmup=warmup, schedule="paper", label_smoothing=0.1)


def presets_for(task: Task) -> list[str]:
    """The presets that can write what a task asks for."""
    architecture = "decoder" if task in ALONE else "encoder-decoder"
    return [name for name, preset in presets.PRESETS.items() if preset.config.architecture == architecture]


def check_preset(task: Task, name: str) -> None:
    """Raise `InvalidInput` for a preset that is unknown or cannot write what the task asks for."""
    presets.find(name)
    if name not in presets_for(task):
        raise InvalidInput("run_preset", name=name, choices=", ".join(presets_for(task)))


def training(settings: RunSettings) -> TrainingSettings:
    """How the run trains; the notebook's preset has Adam as torch has it, and no clipping."""
    plain = settings.preset == "notebook"
    return TrainingSettings(
        steps=settings.steps,
        learning_rate=settings.learning_rate,
        warmup=settings.warmup,
        tokens_per_batch=settings.tokens_per_batch,
        label_smoothing=settings.label_smoothing,
        average=settings.average,
        seed=settings.seed,
        schedule=settings.schedule,
        betas=(0.9, 0.999) if plain else (0.9, 0.98),
        eps=1e-8 if plain else 1e-9,
        clip=0.0 if plain else 1.0,
        bucket=BUCKET,
        weight_decay=settings.weight_decay,
        given=GIVEN if settings.task == "modular" else 0,
    )
