"""What a live page trains, in node, beside torch: the same start, pairs and order."""

import json
from pathlib import Path

import torch

from live.training import training_file
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.train import data
from model.train.browser import ready, step
from tests.model.train.test_browser_graphs import LEFT_OUT, LETTERS, by_torch, settings
from tests.node import run_tests

STEPS = 60
MODULES = Path(__file__).parent / "frontend"


def shuffled(count: int, seed: int) -> list[int]:
    """The order of an epoch in the browser, written once more."""
    state, order, whole = seed, list(range(count)), 2**32
    for at in range(count - 1, 0, -1):
        state = (state + 0x6D2B79F5) % whole
        mixed = (state ^ (state >> 15)) * (state | 1) % whole
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) % whole
        other = int((mixed ^ (mixed >> 14)) / whole * (at + 1))
        order[at], order[other] = order[other], order[at]
    return order


def test_a_training_in_the_browser_is_that_of_torch(tmp_path: Path) -> None:
    prepared = data.prepare(LETTERS.settings)
    learned, held_out = ready.pairs("reverse")
    pairs = learned[: 20 * ready.BATCH + 5]
    examples = data.encoded(LETTERS.config, prepared, pairs)
    orders = [shuffled(len(pairs), seed) for seed in range(1, 5)]
    batches = [order[at : at + ready.BATCH] for order in orders for at in range(0, len(pairs) - 5, ready.BATCH)]
    given = [[examples[place] for place in batch] for batch in batches[:STEPS]]
    losses, _, trainer = by_torch(given, settings())
    checkpoint = Checkpoint("letters", trainer.average, prepared.tokenizer)
    runs = [translate(checkpoint, pair.source) for pair in held_out]
    right = [run.text == pair.target for run, pair in zip(runs, held_out, strict=True)]
    ended = [(pair.source, run.text) for run, pair in zip(runs, held_out, strict=True) if run.stop == "eos"][:4]
    off = {name: by_torch(given[:1], settings(), LEFT_OUT[name])[0][0] for name in step.SWITCHES}
    expected = {
        "losses": losses,
        "heldOut": {"loss": trainer.evaluate(), "right": right},
        "words": [word for word, _ in ended],
        "written": [text for _, text in ended],
        "pairs": pairs,
        "off": off,
    }
    (tmp_path / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    (tmp_path / "training").write_bytes(training_file())
    run_tests([MODULES / "training.test.mjs"], tmp_path)


def test_the_start_is_that_of_the_model() -> None:
    start = torch.frombuffer(bytearray(ready.start(LETTERS)), dtype=torch.float16).float()
    assert torch.equal(start, torch.nn.utils.parameters_to_vector(LETTERS.model().parameters()))
