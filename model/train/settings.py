"""The settings of a training run: task, model and training, with defaults and limits. Checks and prepares them."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from typing import Literal, get_args, get_type_hints

import torch

from model import presets
from model.config import TransformerConfig
from model.corpora.corpus import Corpus
from model.corpora.pairs import Example, Pair
from model.corpora.tasks import sequences, user_table, user_text
from model.corpora.tasks.asked import END, Asked
from model.corpora.tasks.dates import Dates
from model.corpora.tasks.german_grammar import Grammar
from model.corpora.tasks.modular import GIVEN, Modular
from model.corpora.tasks.notebook import Notebook
from model.corpora.tasks.repeat import Repeat
from model.corpora.tasks.sequences import Sequences
from model.corpora.tasks.spread import Spread
from model.corpora.tasks.user_table import Own
from model.corpora.tasks.user_text import Passage
from model.errors import InvalidInput
from model.tokenizer import Tokenizer, words_of
from model.train import tasks
from model.train.trainer import Schedule, TrainingSettings
from model.transformer import Transformer
from model.weights import count_parameters

Task = Literal[
    "dates", "reverse", "copy", "sort", "addition", "spread", "repeat", "modular", "notebook", "grammar", "text", "own"
]  # fmt: skip
TASKS: tuple[Task, ...] = get_args(Task)
ALONE: tuple[Task, ...] = ("spread", "repeat", "modular", "text")  # of a decoder alone
PIECES = 1000  # tokens of a vocabulary that is learned from whole sentences
SPELLED = 40  # a user's table is read by characters if its sources have at most so many
BUCKET = 8  # tokens by which sources of one batch may differ
HEADROOM = 8  # tokens by which a user's sentence may be longer than those of the task
SENTENCES = 4  # of a text, at most


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """One run. `preset` names a system whose other choices (biases, norm kind, init, mask fill) are taken.

    `own` is the pasted text or the table of pairs; `sentence` is the one whose attention is watched, the task's
    first if empty. `letters` is how many a word has at most, in the tasks of `LETTERS`; `sentences` how many a text of
    the grammar has. `shuffled` gives every source of the notebook's task another one's target. Without `causal_mask`
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


@dataclass(frozen=True)
class Prepared:
    """A task's data and tokenizer, the mean and the longest of its sources and of its targets, and an epoch, in tokens.

    `epoch` is known only of data that is the same in each epoch; a batch has no more.
    """

    corpus: Corpus
    tokenizer: Tokenizer
    mean: tuple[float, float]
    longest: tuple[int, int]
    epoch: float = math.inf


@dataclass(frozen=True)
class Estimate:
    """Parameters, and about how many seconds and bytes the run takes on one core."""

    parameters: int
    seconds: float
    memory: int


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
    "text": RunSettings(
        task="text", architecture="decoder", d_model=96, heads=4, d_ff=384, encoder_layers=0, decoder_layers=2,
        learning_rate=3e-3, steps=1000, tokens_per_batch=2000, dropout=0.05,
    ),
    "own": RunSettings(task="own", steps=1000, dropout=0.05),
}  # fmt: skip
NOTEBOOK_STEPS, NOTEBOOK_RATE = 300, 3e-4
_RANGES: dict[str, tuple[float, float]] = {
    "d_model": (2, 512),
    "heads": (1, 64),
    "key_value_heads": (0, 64),
    "encoder_layers": (0, 12),
    "decoder_layers": (1, 12),
    "d_ff": (1, 4096),
    "position_base": (2, 1e6),
    "dropout": (0, 0.9),
    "learning_rate": (1e-6, 0.1),
    "label_smoothing": (0, 0.9),
    "weight_decay": (0, 10),
    "average": (0, 0.9999),
    "seed": (0, 2**31 - 1),
    "letters": (2, sequences.LONGEST),
    "sentences": (1, SENTENCES),
}
LETTERS = ("reverse", "copy", "sort")  # tasks of words of letters


def of_preset(name: str, task: Task = "notebook", seed: int = 0) -> RunSettings:
    """A task with the model of a preset and its own training: the notebook's 300 steps of plain Adam, else the paper's.

    Raises `InvalidInput` for a preset that cannot write what the task asks for.
    """
    config = presets.find(name).config
    _check_preset(task, name)
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
    wanted = "decoder" if task in ALONE else "encoder-decoder"
    return [name for name, preset in presets.PRESETS.items() if preset.config.architecture == wanted]


def check(settings: RunSettings, limits: Limits = LIMITS) -> Estimate:
    """Raise `InvalidInput` for invalid settings and exceeded limits; return the estimate of the run."""
    _check_values(settings, limits)
    prepared = prepare(settings)
    estimate = estimated(settings, prepared)
    if estimate.parameters > limits.parameters:
        raise InvalidInput("run_parameters", count=f"{estimate.parameters:,}", limit=f"{limits.parameters:,}")
    if estimate.seconds > limits.seconds:
        raise InvalidInput(
            "run_seconds", minutes=math.ceil(estimate.seconds / 60), limit=f"{limits.seconds / 60:g}"
        )  # fmt: skip
    if settings.sentence:
        check_sentence(settings, prepared)
    return estimate


def _check_values(settings: RunSettings, limits: Limits) -> None:
    if settings.task not in TASKS:
        raise InvalidInput("run_task", task=settings.task, choices=", ".join(TASKS))
    if settings.preset:
        _check_preset(settings.task, settings.preset)
    if settings.schedule not in get_args(Schedule):
        raise InvalidInput(
            "config_choice", field="schedule", value=settings.schedule, choices=", ".join(get_args(Schedule))
        )
    ranges = _RANGES | {
        "steps": (1, limits.steps),
        "warmup": (0, settings.steps),
        "tokens_per_batch": (100, limits.tokens_per_batch),
    }
    hints = get_type_hints(RunSettings)
    for field, (least, most) in ranges.items():
        value = getattr(settings, field)
        kinds = int if hints[field] is int else (int, float)
        # the comparison also refuses what is not a number
        if not isinstance(value, kinds) or isinstance(value, bool) or not least <= value <= most:
            raise InvalidInput("run_range", field=field, value=value, least=f"{least:g}", most=f"{most:,}")
    if not settings.alone and not settings.encoder_layers:
        raise InvalidInput("run_range", field="encoder_layers", value=0, least=1, most=12)


def _check_preset(task: Task, name: str) -> None:
    presets.find(name)
    if name not in presets_for(task):
        raise InvalidInput("run_preset", name=name, choices=", ".join(presets_for(task)))


def check_sentence(settings: RunSettings, prepared: Prepared) -> None:
    """Raise `InvalidInput` for a probe sentence that is empty or too long for the model."""
    ids = prepared.tokenizer.encode(settings.sentence)
    limit = max(prepared.longest) + HEADROOM
    if len(ids) == 2:
        raise InvalidInput("sentence_empty")
    if len(ids) > limit:
        raise InvalidInput("sentence_tokens", count=len(ids), limit=limit)


def prepare(settings: RunSettings) -> Prepared:
    """The data and tokenizer of a task, cached for the next run of the same task."""
    read = ("task", "architecture", "seed", "shuffled", "own", "letters", "sentences")
    return _prepare(RunSettings(**{field: getattr(settings, field) for field in read}))


@lru_cache(maxsize=8)
def _prepare(settings: RunSettings) -> Prepared:
    corpus = _corpus(settings)
    if settings.alone and settings.task not in ALONE:
        spelled = settings.task in (*LETTERS, "addition")
        corpus = Asked(corpus, END if spelled else f" {END}")
    tokenizer = _tokenizer(settings.task, corpus)
    if isinstance(corpus, Passage):
        return Prepared(corpus, tokenizer, (0.0, user_text.WINDOW + 1), (0, user_text.WINDOW + 1))
    fixed = settings.task in ("modular", "notebook", "own")
    pairs = [*corpus.validation(), *(pair for held in corpus.tests().values() for pair in held)]
    if fixed:
        pairs += corpus.train(0)
    sides = [[len(ids) for ids in tokenizer.encode_all([pair[side] for pair in pairs])] for side in (0, 1)]
    mean = (sum(sides[0]) / len(pairs), sum(sides[1]) / len(pairs))
    epoch = sum(mean) * len(corpus.train(0)) if fixed else math.inf
    return Prepared(corpus, tokenizer, mean, (max(sides[0]), max(sides[1])), epoch)


def _corpus(settings: RunSettings) -> Corpus:
    task, seed = settings.task, settings.seed
    if task == "dates":
        return Dates(seed)
    if task == "notebook":
        return Notebook(seed, settings.shuffled)
    if task == "grammar":
        return Grammar(seed, sentences=settings.sentences)
    if task == "spread":
        return Spread(seed)
    if task == "repeat":
        return Repeat(seed)
    if task == "modular":
        return Modular(seed)
    if task == "text":
        return Passage(settings.own, seed)
    if task == "own":
        return Own(user_table.read(settings.own))
    return Sequences(task, seed, longest=settings.letters)


def _tokenizer(task: Task, corpus: Corpus) -> Tokenizer:
    texts = [corpus.text] if isinstance(corpus, Passage) else [text for pair in corpus.texts() for text in pair]
    seen = words_of(corpus.source_words())
    if task == "modular":
        return Tokenizer.words(texts, seen)
    if task == "notebook":
        return Tokenizer.words([*texts, *(text for pair in corpus.validation() for text in pair)], seen)
    if task == "grammar" or (task == "own" and max(map(len, texts)) > SPELLED):
        return Tokenizer.train(texts, seen, PIECES)
    return Tokenizer.characters(texts, seen)


def config(settings: RunSettings, prepared: Prepared) -> TransformerConfig:
    """The model of a run; raises `InvalidInput` where two choices cannot stand together."""
    longest = _read_and_written(settings, prepared) if settings.alone else max(prepared.longest)
    return shape(settings, prepared.tokenizer.size, longest + HEADROOM)


def shape(settings: RunSettings, vocabulary: int, positions: int) -> TransformerConfig:
    """The model of a run with so many tokens in its vocabulary and so many positions; raises as `config` does."""
    base = presets.find(settings.preset).config if settings.preset else TransformerConfig(
        source_vocabulary=1, target_vocabulary=1, final_norm=settings.norm == "pre", output_bias=True
    )  # fmt: skip
    same = {field.name for field in fields(RunSettings)} & set(asdict(base))
    only: dict[str, object] = {"architecture": "decoder", "encoder_layers": 0} if settings.alone else {}
    return replace(
        base,
        source_vocabulary=0 if settings.alone else vocabulary,
        target_vocabulary=vocabulary,
        final_norm=base.final_norm and settings.norm != "none",
        max_length=positions,
        **({key: getattr(settings, key) for key in same} | only),
    )


def _read_and_written(settings: RunSettings, prepared: Prepared) -> int:
    """Tokens that a decoder alone has at most: what it reads and, of pairs, the target too."""
    return max(prepared.longest) + user_text.WRITTEN if settings.task in ALONE else sum(prepared.longest)


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


def examples(config: TransformerConfig, prepared: Prepared, epoch: int) -> list[Example]:
    """The training examples of an epoch."""
    if isinstance(prepared.corpus, Passage):
        return prepared.corpus.windows(prepared.tokenizer, epoch)
    return encoded(config, prepared, prepared.corpus.train(epoch))


def encoded(config: TransformerConfig, prepared: Prepared, pairs: Sequence[Pair]) -> list[Example]:
    """Examples of pairs, without those longer than the model."""
    return tasks.examples(config, prepared.tokenizer, pairs, "")


def estimated(settings: RunSettings, prepared: Prepared) -> Estimate:
    """Counted parameters; seconds and bytes from what a step does, with constants measured on one core.

    A parameter of a matrix costs 6 operations for each token that passes it, forward and backward; reading
    and writing activations, and starting each of a layer's operations, cost the rest.
    """
    shape = config(settings, prepared)
    with torch.device("meta"):
        parts = count_parameters(Transformer(shape))
    share = 0 if settings.alone else prepared.mean[0] / sum(prepared.mean)
    batch = min(settings.tokens_per_batch, prepared.epoch)
    tokens = {"encoder": batch * share, "decoder": batch * (1 - share)}
    operations = 6 * sum(tokens[side] * parts.get(side, 0) for side in tokens)
    operations += 6 * tokens["decoder"] * parts.get("output", shape.d_model * shape.target_vocabulary)
    layers = {"encoder": shape.encoder_layers, "decoder": 1.5 * shape.decoder_layers}
    attended = {"encoder": prepared.mean[0], "decoder": sum(prepared.mean) / 1.5}
    values = sum(
        tokens[side] * layers[side] * (14 * shape.d_model + 3 * shape.d_ff + 6 * shape.heads * attended[side])
        for side in tokens
    )
    values += 3 * tokens["decoder"] * shape.target_vocabulary
    step = _OVERHEAD * (1 + sum(layers.values())) + operations / _OPERATIONS + values / _VALUES
    step += parts["total"] * _UPDATE
    memory = 4 * (5 * parts["total"] + round(values))
    return Estimate(parts["total"], settings.steps * step * 1.5 + 0.5, memory)


# one core: seconds to start a layer's operations, operations and values per second, seconds to update a parameter
_OVERHEAD, _OPERATIONS, _VALUES, _UPDATE = 4.5e-4, 7.5e10, 1.5e9, 3e-9
