"""Recipes: what is needed to make a checkpoint again, data, sizes and training."""

from collections.abc import Callable
from dataclasses import dataclass, field

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
                "dropout": 0.1,
                "max_length": 96,
            },
            training=TrainingSettings(
                steps=6400, learning_rate=2e-3, warmup=500, tokens_per_batch=2400, report_every=200
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


def find(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in RECIPES:
        raise Refused("recipe_unknown", name=name, choices=", ".join(RECIPES))
    return RECIPES[name]
