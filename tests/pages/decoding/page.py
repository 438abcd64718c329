"""The page of decoding as a test opens and reads it."""

import json
from functools import cache
from typing import Any

import torch
from streamlit.testing.v1 import AppTest

from model import presets
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry, load_tokenizer
from model.checkpoint.checkpoints import Checkpoint
from model.tokenization.tokenizer import BOS, EOS
from tests.app import inside, visit
from tests.samples import KINO, SAMPLES, german_english


def opened(language: str = "en", **address: str) -> AppTest:
    return visit("decoding", language, **address)


def sent(app: AppTest, key: str = "player") -> Any:
    """Message that Python handed to the component."""
    results = [element.proto for element in app.get("bidi_component") if element.proto.component_name.endswith(key)]
    assert len(results) == 1
    return json.loads(json.loads(results[0].json) if results[0].json else results[0].bytes)


def preset(name: str) -> Checkpoint:
    return checkpoints.untrained(presets.find(name), 0, load_tokenizer(Entry(SAMPLES / "de-en")))


@cache
def token(word: str) -> int:
    """The one token that a word is."""
    ids = german_english().tokenizer.encode(word)[1:-1]
    assert len(ids) == 1
    return ids[0]


def fresh(forced: list[int], text: str = KINO) -> list[int]:
    """Greedy decoding by the model's whole forward pass, everything anew at each step."""
    checkpoint = german_english()
    source = torch.tensor([checkpoint.tokenizer.encode(text)])
    ids = [BOS, *forced]
    with torch.inference_mode():
        while ids[-1] != EOS:
            logits = checkpoint.model(source, torch.tensor([ids]), torch.ones_like(source, dtype=torch.bool))
            ids.append(int(logits[0, -1].argmax()))
    return ids[1:]


def texts(app: AppTest) -> str:
    return "\n".join(str(element.value) for element in [*app.text, *app.caption])


def html(app: AppTest, key: str = "figure_step") -> str:
    return "\n".join(inside(app, key))


def trace_of(ids: list[int]) -> torch.Tensor:
    """log softmax of every step, (T, V)."""
    checkpoint = german_english()
    source = torch.tensor([checkpoint.tokenizer.encode(KINO)])
    with torch.inference_mode():
        logits = checkpoint.model(source, torch.tensor([[BOS, *ids[:-1]]]), torch.ones_like(source, dtype=torch.bool))
    return logits[0].double().log_softmax(-1)


def _inline(layer: dict[str, Any]) -> list[dict[str, Any]]:
    values = layer.get("data", {}).get("values", "[]")
    return json.loads(values) if isinstance(values, str) else values
