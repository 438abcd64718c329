"""Messages of a live page to the figures, and links that it reads, in node beside what the app does."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from model.analysis.attention.head_stages import stages
from model.attribution.norm_based_attention import largest_fall, norm_weights
from model.attribution.source_share.vectors import moved
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import Translation, translate
from model.graph.description import describe
from pages.shared.text.words import section
from pages.shared.ui.attention_figure import panels
from pages.start.output_so_far import written
from tests.node import run_tests
from viz.components import attention
from viz.components.matrix import matrix_data
from viz.components.packing import opened
from viz.components.timeline import Candidate, Step, player_data
from viz.data import Film, Kind, Look, Matrix, Pin, Selection, View
from viz.matrices.attention.stage_matrices import STEPS, Labels, stage_matrices, step_parts
from viz.whole_words import is_special

MODULES = Path(__file__).parent / "frontend"
TOKENS = ("<s>", "<|endoftext|>", "[CLS]", "<0x0A>", "<", "<>", "< >", "[cls]", "[A", "<a><b>", "a<s>", "·s", "")
SENTENCE = "Am Montag habe ich Deutschkurs."
HEADS: tuple[tuple[Kind, int, int], ...] = (("encoder", 0, 3), ("decoder", 1, 2), ("cross", 2, 1))
# what a page lacks: the weights, and in a pre-norm model the norm's output
UNKNOWN = ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "x")


def test_figures_get_what_the_app_gives_them(tmp_path: Path) -> None:
    entry = catalogue.find("de-en")
    checkpoint = load(entry)
    run = translate(checkpoint, SENTENCE)
    values = run.trace.values
    for name, value in values.items():
        value.astype("<f4").tofile(tmp_path / f"{name}.bin")
    tables = {"attention": "attention_figure", "matrix": "matrix_figure", "player": "player"}
    cases = {
        "description": describe(checkpoint, entry.card, {}),
        "result": {
            "sourceTokens": run.trace.source_tokens,
            "targetTokens": run.trace.target_tokens,
            "outputTokens": run.trace.output_tokens,
            "values": {name: value.shape for name, value in values.items()},
        },
        "words": {name: section(table, "en") for name, table in tables.items()},
        "norms": [_norms(checkpoint, run, kind, folder=tmp_path) for kind in run.trace.kinds],
        "parts": section("attention_part", "en"),
        "attention": _attention(run, tmp_path),
        "tokens": {token: is_special(token) for token in TOKENS},
        "matrices": _matrices(tmp_path),
        "player": _player(),
        "stages": [_stages(checkpoint, run, *head, folder=tmp_path) for head in HEADS],
        "written": [_written(run.text, run.trace.output_tokens), _written("ab cd", ("<bos>", "ab", "##x", "▁cd"))],
    }
    run_tests([MODULES / "figure_data.test.mjs"], tmp_path, figure_data=cases)


def _attention(run: Translation, folder: Path) -> list[dict[str, Any]]:
    """Messages of all forms, and the options that make them."""
    soFar = written(run.text, run.trace.output_tokens)
    forms: tuple[tuple[View, Kind, Pin | None, list[str]], ...] = (
        ("links", "cross", None, soFar),
        ("links", "encoder", Pin("encoder", 1, None), []),
        ("matrix", "cross", Pin("cross", 2, 3), []),
        ("matrix", "decoder", None, []),
    )
    made = []
    for number, (view, kind, pin, so_far) in enumerate(forms):
        words = section("attention_figure", "en")
        chosen: dict[str, Any] = {"view": view, "kind": kind, "layer": 1, "head": number, "written": so_far}
        look = Look(view, kind, chosen["layer"], chosen["head"], pin, film=Film(so_far) if so_far else None)
        data = attention.attention_data(panels(run.trace), look, words)
        (folder / f"attention_{number}.bin").write_bytes(_inflated(data))
        made.append(chosen | {"name": f"attention_{number}.bin", "pin": pin._asdict() if pin else None})
    return made


def _norms(checkpoint: Checkpoint, run: Translation, kind: Kind, folder: Path) -> dict[str, Any]:
    """‖v W^O‖ of each layer (H, K) in a file, and the shares and the largest fall that follow."""
    layers = range(len(run.trace.weights(kind)))
    vectors = [moved(checkpoint.model, run.trace, kind, layer)[1] for layer in layers]
    for layer, each in enumerate(vectors):
        np.linalg.norm(each, axis=-1).astype("<f4").tofile(folder / f"norms_{kind}_{layer}.bin")
    shares = norm_weights(checkpoint.model, run.trace, kind)
    fall = largest_fall(run.trace.weights(kind), shares)
    return {"kind": kind, "shape": vectors[0].shape[:2], "shares": shares.ravel().tolist(), "fall": fall._asdict()}


def _matrices(folder: Path) -> dict[str, Any]:
    values = np.array([[0.1, -2.5, np.nan], [-np.inf, 1e-7, 3]], np.float32)
    words = section("matrix_figure", "en")
    labels = (("a", "b"), ("x", "y", "z"))
    shown = [
        Matrix("one", "First", values, *labels, row_axis="r", column_axis="c", note="n", sign="+", blank="none"),
        Matrix("two", "Second", abs(values[:, 1:2]) / 3, labels[0], ("x",), scale="weight", colour="cross", decimals=2),
    ]
    selection = Selection("two", 1, 0)
    (folder / "matrices.bin").write_bytes(
        _inflated(matrix_data.matrix_data(shown, words, selection=selection, cell=34))
    )
    names = {"row_axis": "rowAxis", "column_axis": "columnAxis"}
    spelled = [
        {names.get(key, key): value for key, value in vars(each).items()} | {"values": _listed(each.values)}
        for each in shown
    ]
    return {"shown": spelled, "selection": selection._asdict(), "cell": 34}


def _listed(values: np.ndarray) -> list[float | str]:
    """Numbers, and by name those that JSON lacks."""
    return [value if np.isfinite(value) else str(value) for value in values.ravel().tolist()]


def _player() -> dict[str, Any]:
    candidates = (Candidate(7, "Haus", 2 / 3), Candidate(8, "Hof", 1.23456789e-7))
    step = Step("<bos>", "Haus", 7, 2 / 3, 1, False, candidates, 1 / 3, None, 18)
    steps = [step, replace(step, read="Haus", forced=True, rank=3)]
    listed = [{"id": each.id, "token": each.word, "probability": each.probability} for each in candidates]
    own = [asdict(each) | {"token": each.word, "candidates": listed} for each in steps]
    message = player_data(["<bos>"], steps, 1, section("player", "en"))
    return {"prompt": ["<bos>"], "steps": own, "step": 1, "vocabulary": 20, "message": message}


def _stages(
    checkpoint: Checkpoint, run: Translation, kind: Kind, layer: int, head: int, *, folder: Path
) -> dict[str, Any]:
    """The matrices of every step that a page can show without the weights."""
    own = stages(checkpoint.model, run.trace, kind, layer, head)
    values = vars(own) | {"k_transposed": own.k.T} | dict.fromkeys(UNKNOWN)
    if kind != "cross":
        values["memory"] = None
    panel = next(panel for panel in panels(run.trace) if panel.kind == kind)
    titles = section("attention_part", "en")
    labels = Labels(panel.queries, panel.keys, kind)
    steps = {}
    for step, parts in STEPS.items():
        if any(part in UNKNOWN and part != "x" for _, part in parts):
            continue
        shown = stage_matrices(step_parts(step, values), values, labels, titles)
        steps[step] = [_stage(each, folder / f"{kind}_{step}_{each.key}.bin") for each in shown]
    return {"kind": kind, "layer": layer, "head": head, "steps": steps}


def _stage(shown: Matrix, file: Path) -> dict[str, Any]:
    shown.values.astype("<f4").tofile(file)
    return {
        "key": shown.key, "sign": shown.sign, "title": shown.title, "rows": shown.rows, "columns": shown.columns,
        "numbers": file.name,
    }  # fmt: skip


def _written(text: str, tokens: tuple[str, ...]) -> dict[str, Any]:
    return {"text": text, "tokens": tokens, "soFar": written(text, tokens)}


def _inflated(message: bytes) -> bytes:
    """The message with its body as it is drawn."""
    length = int.from_bytes(message[:4], "little")
    return message[: 4 + length] + opened(message)[1]
