"""The settings of a training run: task, model, training, and their defaults."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from corpora.task_list import tasks
from corpora.tasks import sequences
from model import presets
from model.errors import InvalidInput
from model.train.trainer import Schedule, TrainingSettings

BUCKET = 8  # tokens by which sources of one batch may differ
SENTENCES = 4  # of a text, at most


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """One run. `preset` names a system whose other choices (biases, norm kind, init, mask fill) are taken.

    `own` is the pasted text or the table of pairs; `sentence` is the one whose attention is watched, the task's
    first if empty. `letters` is how many a word has at most, `sentences` how many a text of a grammar has. `shuffled`
    gives every source of the notebook's task another one's target. Without `causal_mask` the decoder sees the future
    while it learns; when it writes there is none to see.
    """

    task: str = "dates"
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
        return tasks()[self.task].alone or self.architecture == "decoder"


DEFAULTS = {name: RunSettings(task=name, **task.settings) for name, task in tasks().items()}
MEMORISED_STEPS, MEMORISED_RATE = 300, 3e-4


def changed(settings: RunSettings, usual: RunSettings) -> dict[str, Any]:
    """The fields of settings that are not as in others, with their values."""
    return {name: value for name, value in vars(settings).items() if value != getattr(usual, name)}


def of_preset(name: str, task: str = "notebook", seed: int = 0) -> RunSettings:
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
            learning_rate=MEMORISED_RATE,
            warmup=0,
            steps=MEMORISED_STEPS,
            schedule="constant",
            average=0.0,
        )
    warmup = max(1, usual.steps // 5)
    rate = (config.d_model * 4000) ** -0.5  # what section 5.3 has after its 4,000 steps
    return replace(settings, learning_rate=rate, warmup=warmup, schedule="paper", label_smoothing=0.1)


def presets_for(task: str) -> list[str]:
    """The presets that can write what a task asks for."""
    architecture = "decoder" if tasks()[task].alone else "encoder-decoder"
    return [name for name, preset in presets.PRESETS.items() if preset.config.architecture == architecture]


def check_preset(task: str, name: str) -> None:
    """Raise `InvalidInput` for a preset that is unknown or cannot write what the task asks for."""
    presets.find(name)
    if name not in presets_for(task):
        raise InvalidInput("run_preset", name=name, choices=", ".join(presets_for(task)))


def training(settings: RunSettings) -> TrainingSettings:
    """How the run trains; the notebook's preset has Adam as torch has it, and no clipping."""
    same = {field.name for field in fields(RunSettings)} & {field.name for field in fields(TrainingSettings)}
    own: dict[str, Any] = {name: getattr(settings, name) for name in same}
    usual = TrainingSettings(**own, bucket=BUCKET, given=tasks()[settings.task].given)
    return replace(usual, betas=(0.9, 0.999), eps=1e-8, clip=0.0) if settings.preset == "notebook" else usual
