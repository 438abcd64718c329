"""Recipes: what is needed to make a checkpoint again, data, sizes and training."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Literal

from corpora.corpus import Corpus
from corpora.task_list import tasks
from corpora.tasks import rhymes
from corpora.tasks.small_talk import SmallTalk
from corpora.translation import Translation
from model import presets
from model.checkpoint import history
from model.errors import InvalidInput
from model.train import data, llm_changes, run_settings
from model.train.objectives import OBJECTIVES
from model.train.run_settings import DEFAULTS, RunSettings
from model.train.trainer import TrainingSettings


@dataclass(frozen=True, kw_only=True)
class _Common:
    """What every recipe has. What is not in its `repr` may change while it trains.

    examples   sentences to start with, the first is shown first
    languages  of source and target
    measured   the commands whose measurements are kept beside the checkpoint, but for those that all have
    required   by test set, what its card must show at least: a measure, its value and the number of cases
    live       whether `make live` makes a page of it
    """

    name: str
    examples: tuple[str, ...] = ()
    languages: tuple[str, str] | tuple[()] = ()
    measured: tuple[str, ...] = field(default=(), repr=False)
    required: Mapping[str, tuple[str, float, int]] = field(default_factory=dict, repr=False, hash=False)
    live: bool = field(default=False, repr=False)

    def commands(self) -> list[str]:
        """The commands that make the checkpoint and all that is kept beside it."""
        kept = [f"{command} {self.name} --save" for command in (*self.measured, "ablation")]
        all_ = [f"train {self.name}", *kept, f"attribution {self.name} --card"]
        return [f"python -m model {command}" for command in all_]


@dataclass(frozen=True, kw_only=True)
class Recipe(_Common):
    """A checkpoint's data, model and training. `architecture` lacks only the vocabulary sizes."""

    corpus: Callable[[int], Corpus]
    vocabulary: int
    architecture: dict[str, Any]
    training: TrainingSettings
    options: str = ""  # of the command that trains it
    tokens: Literal["pieces", "words"] = "pieces"

    @property
    def task(self) -> str:
        """What its card calls its task."""
        return OBJECTIVES[self.architecture.get("architecture", "encoder-decoder")].name

    @property
    def steps(self) -> int:
        return self.training.steps

    @property
    def seed(self) -> int:
        return self.training.seed


@dataclass(frozen=True, kw_only=True)
class RunRecipe(_Common):
    """A checkpoint of a small task: a run like those of the page, only longer.

    `variant_of` names the checkpoint that it differs from in one choice, to be compared with. The run is made with each
    of `seeds` too, only for its loss.
    """

    settings: RunSettings
    variant_of: str = ""
    history_weights: float = history.WEIGHTS  # bytes that the weights of all snapshots may take
    seeds: tuple[int, ...] = ()

    @property
    def task(self) -> str:
        """What its card calls its task."""
        task = tasks()[self.settings.task]
        return task.on_card or task.name

    @property
    def steps(self) -> int:
        return self.settings.steps

    @property
    def seed(self) -> int:
        return self.settings.seed

    def corpus(self, seed: int) -> Corpus:
        return data.prepare(replace(self.settings, seed=seed)).corpus


_TRANSLATOR: dict[str, object] = {
    "d_model": 144,
    "heads": 4,
    "encoder_layers": 3,
    "decoder_layers": 3,
    "d_ff": 432,
    "norm": "pre",
    "final_norm": True,
    "tied_embeddings": "all",
    "max_length": 96,
    "dropout": 0.0,
}
_LONG = TrainingSettings(
    steps=20_000, learning_rate=2e-3, warmup=500, tokens_per_batch=2400, report_every=200, bfloat16=True
)
_SMALL_FEATURES = "features --features 256 --steps 3000"
_OF_TRANSLATOR = (
    "alignment", "removal", "sinks", "lenses", "features", "edges", "ordinary", "score-sources", "pairs-suite",
    "training-index",
)  # fmt: skip
_REVERSE = RunRecipe(
    name="reverse",
    settings=replace(DEFAULTS["reverse"], steps=5000),
    examples=("glassformer", "stressed", "abcdefghijklmnopqrst", "zzz", "transformer"),
    measured=("edges", "score-sources"),
    required={"reverse": ("exact", 1.0, 1000)},
    live=True,
)
_SORT = RunRecipe(
    name="sort",
    settings=replace(DEFAULTS["sort"], steps=3000),
    examples=("glassformer", "zyxwvu", "banana", "attention", "thequickbrownfoxjump"),
    measured=("edges", "score-sources"),
    required={"sort": ("exact", 0.995, 1000)},
    live=True,
)
# words of up to 8 letters, so that longer ones show how each way to give positions goes on
_COPY = RunRecipe(
    name="copy-8",
    settings=replace(DEFAULTS["copy"], heads=4, letters=8, steps=1500),
    examples=("glass", "abcdefgh", "zzz", "bookcase", "hi"),
    measured=("edges",),
    history_weights=0,
)
# a single encoder layer: with two, one head too finds most sums
_ADDITION = RunRecipe(
    name="addition",
    settings=replace(DEFAULTS["addition"], encoder_layers=1, steps=3000),
    examples=("46+54", "7+5", "999+999", "120+7", "358+467"),
    measured=(_SMALL_FEATURES, "edges"),
    required={"addition": ("exact", 0.98, 1000)},
    live=True,
)
_SPREAD = RunRecipe(
    name="spread",
    settings=DEFAULTS["spread"],
    examples=("738465=", "567=", "2938475610=", "455445=", "90="),
    history_weights=0,
)

_INDUCTION = RunRecipe(
    name="induction",
    settings=DEFAULTS["repeat"],
    examples=("kdfqzkdfqzkdfqzkdfqz", "stonestonestonestone", "qwertyuiopqwertyuiop", "thequickbrothequickb"),
    measured=("edges", "score-sources"),
    live=True,
)
_MODULAR = RunRecipe(
    name="modular",
    settings=DEFAULTS["modular"],
    examples=("17 + 51 =", "30 + 30 =", "3 + 4 =", "58 + 58 =", "0 + 42 ="),
    history_weights=0,
)


def _variant(of: RunRecipe, name: str, measured: tuple[str, ...] = (), **choices: Any) -> RunRecipe:
    """The same task, data, steps and seed with another choice."""
    settings = replace(of.settings, **choices)
    name = f"{of.name}-{name}"
    return replace(of, name=name, settings=settings, variant_of=of.name, measured=measured, required={}, live=False)


def _from_2017() -> list[RunRecipe]:
    """The Transformer of 2017, and with each change on the way to today's LLMs."""
    recipes: list[RunRecipe] = []
    for name, changes in llm_changes.series().items():
        settings = llm_changes.settings(changes)
        end = " =" if settings.alone else ""
        recipes.append(
            RunRecipe(
                name=name,
                settings=settings,
                examples=tuple(sentence + end for sentence in _GERMAN),
                variant_of=recipes[-1].name if recipes else "",
                history_weights=0,
                seeds=llm_changes.SEEDS,
                live=name == "llm-rotary",
            )
        )
    return recipes


_GERMAN = (
    "Wir gehen heute ins Kino.",
    "Am Donnerstag arbeitet David. Wo ist das Buch?",
    "Die Lehrerin kennt die Kirche.",
    "Kannst du mir helfen?",
)
_MEMORISED = run_settings.of_preset("notebook")
_MINI = asdict(presets.find("mini-encoder").config)
_ALL: list[Recipe | RunRecipe] = [
    Recipe(
        name="de-en",
        languages=("de", "en"),
        corpus=partial(Translation, "de"),
        vocabulary=6500,
        architecture=_TRANSLATOR,
        training=_LONG,
        examples=(
            "Wir gehen heute ins Kino.",
            "Der Mann liest ein Buch.",
            "Am Montag habe ich Deutschkurs.",
            "Kannst du mir helfen?",
            "Wo ist das Buch?",
        ),
        measured=_OF_TRANSLATOR,
        live=True,
    ),
    Recipe(
        name="zh-en",
        languages=("zh", "en"),
        corpus=partial(Translation, "zh"),
        vocabulary=6500,
        architecture=_TRANSLATOR | {"dropout": 0.1},
        training=replace(_LONG, steps=20_000),
        examples=("我在图书馆看书。", "桌子上有一本书。", "他汉语说得很好。", "这本书多少钱？", "你去哪儿？"),
        measured=_OF_TRANSLATOR,
        live=True,
    ),
    Recipe(
        name="es-en",
        languages=("es", "en"),
        corpus=partial(Translation, "es"),
        vocabulary=6500,
        architecture=_TRANSLATOR,
        training=_LONG,
        examples=(
            "Hoy vamos al cine.",
            "El hombre lee un libro.",
            "¿Puedes ayudarme?",
            "¿Dónde está el libro?",
            "Me gusta el café.",
        ),
        measured=_OF_TRANSLATOR,
        live=True,
    ),
    RunRecipe(
        name="dates",
        settings=replace(DEFAULTS["dates"], steps=4000),
        examples=("3 Mar 2019", "Sonntag, der 3. März 2019", "二〇一九年三月三日", "3.3.19", "March 3rd, 2019"),
        measured=(_SMALL_FEATURES, "edges"),
        required={"dates": ("exact", 1.0, 500)},
        live=True,
    ),
    _REVERSE,
    _variant(_REVERSE, "learned", position="learned"),
    _variant(_REVERSE, "no-position", position="none"),
    _variant(_REVERSE, "post-norm", norm="post"),
    _COPY,
    _variant(_COPY, "learned", position="learned"),
    _variant(_COPY, "relative", position="relative"),
    _variant(_COPY, "rotary", position="rotary"),
    _variant(_COPY, "alibi", position="alibi"),
    _variant(_COPY, "no-position", position="none"),
    _SORT,
    _variant(_SORT, "one-head", heads=1),
    _variant(_SORT, "eight-heads", heads=8),
    _ADDITION,
    _variant(_ADDITION, "one-head", measured=("edges",), heads=1),
    _SPREAD,
    _variant(_SPREAD, "one-head", heads=1),
    RunRecipe(
        name="notebook-c",
        settings=_MEMORISED,
        examples=("wir gehen ins kino .", "ich lese ein buch .", "wo ist das buch ?", "der zug kommt heute ."),
        required={"notebook-seen": ("exact", 1.0, 22)},
        languages=("de", "en"),
    ),
    RunRecipe(
        name="small-de-en",
        settings=DEFAULTS["few-sentences"],
        examples=(
            "der hund sieht eine katze .",
            "sie kauft heute ein haus .",
            "liest du das buch ?",
            "die frau malt das pferd nicht .",
            "sie essen oft einen apfel .",
        ),
        measured=("influence-scores",),
        history_weights=0,
        languages=("de", "en"),
    ),
    _INDUCTION,
    _MODULAR,
    RunRecipe(
        name="gpt-char",
        settings=replace(DEFAULTS["text"], own=rhymes.text(), steps=3000),
        examples=rhymes.PROMPTS,
        measured=("edges",),
        live=True,
        languages=("en", "en"),
    ),
    *_from_2017(),
    Recipe(
        name="mini-encoder",
        corpus=SmallTalk,
        vocabulary=_MINI["source_vocabulary"],
        tokens="words",
        architecture=_MINI | {"target_vocabulary": _MINI["source_vocabulary"], "output_bias": True},
        training=TrainingSettings(
            steps=4000, learning_rate=1e-2, warmup=200, tokens_per_batch=1600, label_smoothing=0.0, report_every=200
        ),
        examples=(
            "she _ eating soup today .",
            "_ you drink coffee often ?",
            "he drinks water often _",
            "they read books _ home often .",
        ),
        live=True,
        languages=("en", "en"),
    ),
]
RECIPES = {recipe.name: recipe for recipe in _ALL}


PRESET_STEPS = 300  # minutes for most of the presets, about an hour for those of the paper's size
LONGEST = 128  # tokens that a preset's decoder writes at most: it has not seen longer sentences


def for_preset(name: str, seed: int = 0, steps: int = PRESET_STEPS) -> Recipe:
    """The data and vocabulary of the first recipe for the model of a preset, starting from the weights of that seed.

    The learning rate rises over a fifth of the steps to what section 5.3 has after 4,000. Raises `InvalidInput`
    for a preset that sentences cannot teach.
    """
    config = presets.find(name).config
    if config.inputs == "numbers":
        raise InvalidInput("train_numbers", name=name)
    if not config.target_vocabulary:
        raise InvalidInput("train_output", name=name, fix="bert")
    if steps < 1:
        raise InvalidInput("config_number", field="steps", value=steps, minimum=1)
    longest = min(config.max_length, LONGEST) if config.decoder_layers else config.max_length
    data = RECIPES["de-en"]
    assert isinstance(data, Recipe)
    return Recipe(
        name=name,
        corpus=data.corpus,
        vocabulary=data.vocabulary,
        architecture=asdict(config) | {"max_length": longest},
        training=TrainingSettings(
            steps=steps,
            learning_rate=(config.d_model * 4000) ** -0.5,
            warmup=max(1, steps // 5),
            tokens_per_batch=2400,
            report_every=max(1, steps // 30),
            seed=seed,
        ),
        examples=data.examples,
        languages=data.languages,
        options=f" --untrained --seed {seed} --steps {steps} --out {name}",
    )


def find(name: str) -> Recipe | RunRecipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise InvalidInput("recipe_unknown", name=name, choices=", ".join(RECIPES))
    return RECIPES[name]
