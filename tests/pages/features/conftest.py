"""A small dictionary of the sample model, and the same model to act on beside one without a dictionary."""

import shutil
from pathlib import Path

import pytest
import torch

from model.checkpoint.catalogue import Entry
from model.features import sites, store, training
from model.features.examples import activations
from model.features.store import Stored
from tests.samples import SAMPLES, german_english

SITE = "encoder.output"
SENTENCES = (
    "Wir gehen heute ins Kino.", "Wo ist das Buch?", "Das gefällt ihm nicht.", "Ich will nach Hause gehen.",
    "Der Hund ist klein und die Katze ist alt.", "Gefällt dir das neue Haus?", "Sie will heute Brot kaufen.",
    "Mein Bruder schläft im Garten.", "Am Montag kommt meine Mutter.", "Er liest gern ein Buch.",
    "Die Kinder spielen im Park.", "Es regnet heute leider.",
)  # fmt: skip
CARD = {
    "site": SITE,
    "sentences": {"learned": 12, "tokens": 100, "held_out": 12, "held_out_tokens": 100},
    "scores": {
        "sentences": 200,
        "seed": 0,
        "dictionary": {"unexplained": [0.08, 0.075, 0.085], "chrf": [98.0, 97.0, 99.0], "alive": 60,
                       "features": 64, "same_token": 0.4, "reference_chrf": [97.5, 96.0, 98.0]},
        "random_model": {"unexplained": [0.2, 0.19, 0.21], "alive": 64, "features": 64, "same_token": 0.55},
        "components": {"unexplained": [0.6, 0.59, 0.61], "chrf": [20.0, 19.0, 21.0]},
        "neurons": {"unexplained": [0.7, 0.69, 0.71], "chrf": [15.0, 14.0, 16.0]},
        "mean": {"chrf": [11.5, 11.0, 12.0]},
        "model": {"reference_chrf": [99.7, 99.5, 99.9]},
        "seeds": {"shared": 0.62, "cosine": 0.7},
    },
    "names": [{"name": "not", "feature": 7, "active": 20, "hits": 18, "precision": [0.9, 0.75, 1.0], "recall": 0.8,
               "strongest": [9, 10]}],
    "suggestions": [{"name": "polite", "feature": 5, "strength": 12.0, "sentences": 100, "success": [0.83, 0.75, 0.9],
                     "strengths": [0.0, 4.0, 8.0, 12.0], "curve": [0.0, 0.3, 0.6, 0.83],
                     "example": ["Ich will nach Hause gehen.", "I want to go home.", "I would like to go home."]},
                    {"name": "tomorrow", "feature": 9, "strength": 6.0, "sentences": 100, "success": [0.5, 0.4, 0.6],
                     "strengths": [0.0, 6.0], "curve": [0.0, 0.5], "example": [], "at": r"\b(heute)\b"}],
}  # fmt: skip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkpoints: `de-en` with a dictionary of 64 features, and `reverse` without one."""
    folder = tmp_path_factory.mktemp("checkpoints")
    for name in ("de-en", "reverse"):
        shutil.copytree(SAMPLES / name, folder / name, ignore=shutil.ignore_patterns("features.*"))
    checkpoint = german_english()
    site = sites.find(checkpoint.model.config, SITE)
    given = sites.vectors(checkpoint, site, sites.reads(checkpoint, SENTENCES, site.side))
    torch.manual_seed(0)
    settings = training.Settings(features=64, active=4, steps=60, batch=64)
    dictionary = training.train_dictionary(given.inputs, settings=settings)
    tokens = tuple(checkpoint.tokenizer.tokens(read.source, begins=True) for read in given.reads)
    store.save(folder / "de-en", Stored(dictionary, activations(dictionary, given, tokens, site.side), CARD))
    return folder


@pytest.fixture
def stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Stored:
    """The dictionary as it is stored; pages see these checkpoints."""
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
    return store.load(Entry(folder / "de-en"), SITE)
