"""Effect of each mistake on learning: both twins are trained once to reverse words of letters; the result is kept.

`python -m model.mistakes.learning` makes `model/mistakes/prepared/` again, in about three minutes on one core.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.mistakes.known_mistakes import LEARNER, MISTAKES
from model.mistakes.metrics import Sample, Twin, learn, near_diagonal, reversals
from model.tokenization.tokenizer import BOS, EOS
from model.transformer import Transformer

FOLDER = Path(__file__).parent / "prepared"
EVERY = 10  # steps between two points of a curve
LETTERS = "abcdefgh"  # ids 4 to 11
SHORTEST, LONGEST = 3, 5  # letters of a word
UNSEEN = 100  # words that none of them is trained on
KEPT = ("no_causal_mask", "same_ids")  # mistakes whose learned twins are kept to run
DEEP = replace(LEARNER, final_norm=False, encoder_layers=4, decoder_layers=4)
# what a mistake needs to show while learning; the rest learn with LEARNER
CONFIGS = {
    "norm_ignored": DEEP,
    "textbook_norm": replace(LEARNER, norm="post", final_norm=False),
}


@dataclass(frozen=True)
class Learned:
    """How one twin learned.

    loss       mean of each `EVERY` steps, nats per token; NaN where it was not a number
    exact      share of unseen words that greedy decoding reverses
    copied     share that it copies
    diagonal   mean cross-attention on the query's own place and the one after it; None where nothing was learned
    """

    loss: tuple[float, ...]
    exact: float
    copied: float
    diagonal: float | None


def learners() -> list[str]:
    """The mistakes that affect learning: their code runs, and computes other numbers than the healthy twin."""
    return [key for key, mistake in MISTAKES.items() if not mistake.raises and key != "recorded_after_dropout"]


def pair(key: str) -> tuple[Learned, Learned]:
    """The prepared results of the healthy and the broken twin."""
    return _pairs()[key]


@cache
def _pairs() -> dict[str, tuple[Learned, Learned]]:
    content = json.loads((FOLDER / "break.json").read_text(encoding="utf-8"))
    return {key: (_read(twins_of["healthy"]), _read(twins_of["broken"])) for key, twins_of in content.items()}


def _read(fields: dict) -> Learned:
    values = fields | {"loss": tuple(math.nan if loss is None else loss for loss in fields["loss"])}
    return Learned(**values)


@cache
def twins(key: str) -> tuple[Twin, Twin]:
    """The learned models of a mistake in `KEPT`, healthy and broken, with weights rounded to 16 bits."""
    tensors = load_file(FOLDER / "break.safetensors")
    healthy, broken = MISTAKES[key].twins(LEARNER)
    for twin, name in ((healthy, "healthy"), (broken, key)):
        weights = {
            path.removeprefix(f"{name}."): value for path, value in tensors.items() if path.startswith(f"{name}.")
        }
        twin.model.load_state_dict({path: value.float() for path, value in weights.items()})
        twin.model.requires_grad_(False)
    return healthy, broken


def spelled(word: str) -> list[int] | None:
    """A word's ids between `<bos>` and `<eos>`; None for one that these models cannot read."""
    readable = SHORTEST <= len(word) <= LONGEST and all(letter in LETTERS for letter in word)
    return [BOS, *(4 + LETTERS.index(letter) for letter in word), EOS] if readable else None


def letters(ids: tuple[int, ...]) -> str:
    """Spell ids of these models as letters; specials are left out."""
    return "".join(LETTERS[id_ - 4] for id_ in ids if id_ >= 4)


def generated(twin: Twin, source: list[int]) -> str:
    """The greedy output for a word. The `same_ids` twin gets no `<eos>`, because it never read one in training."""
    [result] = greedy(twin.model, [source[:-1] if twin.same_ids else source], LONGEST + 3)
    return letters(result.ids)


def taught(twin: Twin) -> Learned:
    """Teach a twin, in place, and measure it on unseen words; in the mistake's own way of running, but step by step."""
    losses = tuple(learn(twin))
    if math.isnan(losses[-1]):
        return Learned(losses, 0.0, 0.0, None)
    unseen = reversals(UNSEEN, "unseen")
    read = [source[:-1] if twin.same_ids else source for source, _ in unseen]
    results = [result.ids[:-1] for result in greedy(twin.model, read, LONGEST + 3, tap=_decoding_tap(twin))]
    pairs = list(zip(results, unseen, strict=True))
    return Learned(
        losses,
        sum(ids == tuple(target[1:-1]) for ids, (_, target) in pairs) / UNSEEN,
        sum(ids == tuple(source[1:-1]) for ids, (source, _) in pairs) / UNSEEN,
        sum(near_diagonal(twin, Sample(tuple(s), tuple(t[:-1]))) for s, t in unseen) / UNSEEN,
    )


def _decoding_tap(twin: Twin):
    """The twin's edits; none that reveals the future, which is not there yet."""
    return twin.tap() if not any("decoder.*.self_attention.masked" in edit.name for edit in twin.edits) else _same


def _same(name: str, value: torch.Tensor) -> torch.Tensor:
    return value


def prepare() -> Iterator[tuple[str, Learned, Transformer]]:
    """Every run: its name, what came of it, and the model that learned; healthy ones once for each config."""
    configs: set[TransformerConfig] = set()
    for key in learners():
        healthy, broken = MISTAKES[key].twins(CONFIGS.get(key, LEARNER))
        if healthy.model.config not in configs:
            configs.add(healthy.model.config)
            yield _name(healthy.model.config), taught(healthy), healthy.model
        yield key, taught(broken), broken.model


def _name(config: TransformerConfig) -> str:
    """Of a healthy run: how its config differs from LEARNER."""
    different = {field: value for field, value in asdict(config).items() if value != asdict(LEARNER)[field]}
    return "healthy" + "".join(f"-{field}-{value}" for field, value in different.items())


def main() -> None:
    """Write `model/mistakes/prepared/`."""
    torch.set_num_threads(1)
    FOLDER.mkdir(exist_ok=True)
    runs: dict[str, Learned] = {}
    weights: dict[str, torch.Tensor] = {}
    for name, result, model in prepare():
        runs[name] = result
        print(f"{name}: loss {result.loss[-1]:.4f}, {result.exact:.0%} of {UNSEEN} unseen words", flush=True)
        if name in ("healthy", *KEPT):
            weights |= {f"{name}.{path}": value.half().contiguous() for path, value in model.state_dict().items()}
    pairs_of_runs = {}
    for key in learners():
        healthy, _ = MISTAKES[key].twins(CONFIGS.get(key, LEARNER))
        pairs_of_runs[key] = {"healthy": _fields(runs[_name(healthy.model.config)]), "broken": _fields(runs[key])}
    (FOLDER / "break.json").write_text(json.dumps(pairs_of_runs, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    save_file(weights, FOLDER / "break.safetensors")
    (FOLDER / "break.safetensors").chmod(0o644)


def _fields(result: Learned) -> dict[str, object]:
    fields = asdict(result) | {"loss": [None if math.isnan(loss) else round(loss, 5) for loss in result.loss]}
    return {name: None if value != value else value for name, value in fields.items()}


if __name__ == "__main__":
    main()
