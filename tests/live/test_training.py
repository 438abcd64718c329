"""What a live page trains, in node, beside torch: the same start, pairs and order."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from corpora.pairs import Example, Pair
from live.training import training_file
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import translate
from model.tokenization.tokenizer import BOS, EOS
from model.train import data
from model.train.browser import ready, start, step
from model.train.browser.sizes import Size
from model.train.induction import measured
from model.upload import upload_check
from tests.model.train.test_browser_graphs import LEFT_OUT, LETTERS, TEXT, WRITTEN, by_torch, encoded, settings
from tests.node import run_tests

STEPS, TEXT_STEPS, COPYING_STEPS = 60, 80, 520
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


def orders(count: int, steps: int, batch: int) -> list[list[int]]:
    """The examples of each step."""
    epochs = [shuffled(count, seed) for seed in range(1, 2 + steps // (count // batch))]
    return [order[at : at + batch] for order in epochs for at in range(0, count - batch + 1, batch)][:steps]


def test_a_training_in_the_browser_is_that_of_torch(tmp_path: Path) -> None:
    prepared = data.prepare(LETTERS.settings)
    learned, held_out = ready.pairs("reverse")
    pairs = learned[: 20 * LETTERS.kind.batch + 5]
    examples = data.encoded(LETTERS.config, prepared, pairs)
    given = [[examples[place] for place in batch] for batch in orders(len(pairs), STEPS, LETTERS.kind.batch)]
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
        "text": text_by_torch(),
        "kinds": {name: losses_of(name) for name in ("sums", "dates", "repeat")},
        "copying": copying_by_torch(tmp_path),
    }
    sample = catalogue.find("reverse")
    model = load(sample).model
    expected["other"] = {
        "count": sum(each.numel() for each in model.parameters()),
        "sum": sum(each.abs().sum().item() for each in model.parameters()),
    }
    (tmp_path / "training").write_bytes(training_file())
    (tmp_path / "packed").write_bytes(upload_check.pack(sample))
    (tmp_path / "other").write_bytes(upload_check.pack(catalogue.find("induction")))
    run_tests([MODULES / "training.test.mjs"], tmp_path, expected=expected)
    for name, position in {"whole": "sinusoidal", "scaled": "sinusoidal", "positions": "none"}.items():
        saved = upload_check.unpack((tmp_path / f"{name}.zip").read_bytes(), tmp_path)
        said = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        assert saved.config.position == position
        assert_same(load(saved), said, held_out)
        share = sum(said["right"]) / len(held_out)
        assert saved.card["scores"] == {"reverse": {"pairs": len(held_out), "exact": round(share, 4)}}
    saved = upload_check.unpack((tmp_path / "text.zip").read_bytes(), tmp_path)
    said = json.loads((tmp_path / "text.json").read_text(encoding="utf-8"))
    assert_goes_on(load(saved), said)
    assert saved.card["scores"]["text"] == {
        "characters": len(said["held"]), "bits": pytest.approx(said["loss"] / math.log(2), abs=1e-3)
    }  # fmt: skip


def text_by_torch() -> dict[str, Any]:
    """A text, and the losses of a training on it: ids of its letters follow that of the space, in their order."""
    size = Size(1, 2, 32)
    of = ready.Ready(TEXT.kind, size)
    found = {letter: 5 + at for at, letter in enumerate(sorted(set(WRITTEN) - {" "}))} | {" ": 4}
    ids = [found[letter] for letter in WRITTEN.strip()]
    rows = [[BOS, *ids[at : at + ready.WINDOW]] for at in range(len(ids) - ready.WINDOW + 1)]
    batches = orders(len(rows), TEXT_STEPS, of.kind.batch)
    given = [[((), rows[place]) for place in batch] for batch in batches]
    losses, *_ = by_torch(given, settings(of), of=of)
    return {"text": WRITTEN.strip(), "size": size.name, "losses": losses}


def first_batches(of: ready.Ready, steps: int) -> list[list[Example]]:
    """Those of a training in the browser with all pairs of a task."""
    learned, _ = ready.pairs(of.kind.tasks[0])
    examples = encoded(of, learned)
    return [[examples[place] for place in batch] for batch in orders(len(examples), steps, of.kind.batch)]


def losses_of(kind: str) -> list[float]:
    of = ready.Ready(ready.KINDS[kind], ready.KINDS[kind].usual)
    return by_torch(first_batches(of, 10), settings(of), of=of)[0]


def copying_by_torch(folder: Path) -> dict[str, Any]:
    """A model that has learned to look up repeated letters: its weights, what it writes, and its heads that do so."""
    of = ready.Ready(ready.KINDS["repeat"], ready.KINDS["repeat"].usual)
    *_, trainer = by_torch(first_batches(of, COPYING_STEPS), settings(of), of=of)
    model, (_, held_out) = trainer.average.eval(), ready.pairs("repeat")
    torch.nn.utils.parameters_to_vector(model.parameters()).detach().numpy().tofile(folder / "copying")
    checkpoint = Checkpoint("repeat", model, of.tokenizer)
    outputs = [translate(checkpoint, pair.source).text for pair in held_out[:40]]
    found = measured(model, [of.tokenizer.encode("".join(pair))[:-1] for pair in held_out[:16]])
    assert max(map(max, found.induction)) > 0.5
    return {"outputs": outputs, "previous": found.previous, "induction": found.induction}


def assert_goes_on(saved: Checkpoint, said: dict[str, Any]) -> None:
    """The model in a file goes on with a text as the page said, and finds a letter as likely."""
    for begun, output in said["written"].items():
        ids = saved.tokenizer.encode(begun)[:-1]
        for _ in range(24):
            if ids[-1] == EOS:
                break
            ids.append(int(saved.model(None, torch.tensor([ids]))[0, -1].argmax()))
        assert saved.tokenizer.decode(ids).removeprefix(begun).strip() == output
    ids = saved.tokenizer.encode(said["held"])[:-1]
    logs = saved.model(None, torch.tensor([ids[:-1]])).double().log_softmax(-1)[0]
    loss = -logs[torch.arange(len(ids) - 1), torch.tensor(ids[1:])].mean().item()
    assert said["loss"] == pytest.approx(loss, abs=1e-4)


def assert_same(saved: Checkpoint, said: dict, held_out: list[Pair]) -> None:
    """The model in a file computes what the page said: its loss by hand, its outputs by the app's decoding."""
    for pair, output in list(zip(held_out, said["outputs"], strict=True))[:60]:
        run = translate(saved, pair.source)
        if run.stop == "eos":
            assert run.text == output, pair
    losses = []
    for pair in held_out:
        ids = saved.tokenizer.encode(pair.target)
        reads = torch.tensor([saved.tokenizer.encode(pair.source)])
        with torch.no_grad():
            logs = saved.model(reads, torch.tensor([ids[:-1]])).double().log_softmax(-1)[0]
        losses += [-row[id_].item() for row, id_ in zip(logs, ids[1:], strict=True)]
    assert said["loss"] == pytest.approx(sum(losses) / len(losses), abs=1e-4)


def test_the_start_is_drawn_evenly() -> None:
    """By the generator of a page, written once more; each matrix has the variance that it should have."""
    model, state, whole = LETTERS.model(), start.SEED, 2**32
    for number in model.source_embedding.weight.flatten()[:50].tolist():
        state = (state + 0x6D2B79F5) % whole
        mixed = (state ^ (state >> 15)) * (state | 1) % whole
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) % whole
        drawn = (mixed ^ (mixed >> 14)) / whole
        assert number == pytest.approx(math.sqrt(3 / 64) * (2 * drawn - 1), abs=1e-7)
    assert model.source_embedding.weight.var().item() == pytest.approx(1 / 64, rel=0.05)
    query = model.encoder[0].self_attention.q
    assert query.weight.var().item() == pytest.approx(2 / (64 + 64), rel=0.05)
    assert not query.bias.any()
    assert (model.encoder_norm.weight == 1).all()
