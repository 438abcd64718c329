"""Recipes: what is needed to make a checkpoint again, data, sizes and training."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from model import presets
from model.corpora.de_en import GermanEnglish
from model.refused import Refused
from model.training import TrainingSettings


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A checkpoint's data, model and training. `architecture` lacks only the vocabulary sizes."""

    name: str
    corpus: Callable[[int], GermanEnglish]
    vocabulary: int
    architecture: dict[str, object]
    training: TrainingSettings
    examples: tuple[str, ...] = field(default=())  # sentences to start with, the first is shown first
    options: str = ""  # of the command that trains it


RECIPES = {
    recipe.name: recipe
    for recipe in [
        Recipe(
            name="de-en",
            corpus=GermanEnglish,
            vocabulary=3600,
            architecture={
                "d_model": 144,
                "heads": 4,
                "encoder_layers": 3,
                "decoder_layers": 3,
                "d_ff": 432,
                "norm": "pre",
                "final_norm": True,
                "tied_embeddings": "all",
                "dropout": 0.0,
                "max_length": 96,
            },
            training=TrainingSettings(
                steps=10_400, learning_rate=2e-3, warmup=500, tokens_per_batch=2400, report_every=200
            ),
            examples=(
                "Wir gehen heute ins Kino.",
                "Der Mann liest ein Buch.",
                "Am Montag habe ich Deutschkurs.",
                "Kannst du mir helfen?",
                "Wo ist das Buch?",
            ),
        )
    ]
}


PRESET_STEPS = 300  # minutes for most of the presets, about an hour for those of the paper's size
LONGEST = 128  # tokens that a preset's decoder writes at most: it has not seen longer sentences


def for_preset(name: str, seed: int = 0, steps: int = PRESET_STEPS) -> Recipe:
    """The data and vocabulary of the first recipe for the model of a preset, starting from the weights of that seed.

    The learning rate rises over a fifth of the steps to what section 5.3 has after 4,000. Raises `Refused`
    for a preset that sentences cannot teach.
    """
    config = presets.find(name).config
    if config.inputs == "numbers":
        raise Refused("train_numbers", name=name)
    if not config.target_vocabulary:
        raise Refused("train_output", name=name, fix="bert")
    if steps < 1:
        raise Refused("config_number", field="steps", value=steps, minimum=1)
    longest = min(config.max_length, LONGEST) if config.decoder_layers else config.max_length
    data = next(iter(RECIPES.values()))
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
        options=f" --untrained --seed {seed} --steps {steps} --out {name}",
    )


def find(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise Refused("recipe_unknown", name=name, choices=", ".join(RECIPES))
    return RECIPES[name]
