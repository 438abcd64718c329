"""The engine of live pages, in node: `frontend/*.test.mjs` beside what the app says of the same sentences."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from live.model_file import model_file
from model.analysis import labels, logit_lens, residual_stream
from model.analysis.cosine import cosine
from model.analysis.softmax import softmax
from model.attribution import integration
from model.attribution.gradients import integrated_gradients, times_input
from model.attribution.score_terms.terms import groups, score_row
from model.attribution.why_question import Question
from model.build import recipes
from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode import doubt
from model.decode.forced_tokens import follow
from model.decode.start import decoding_start
from model.decode.token_sampling import candidates
from model.decode.translate import Translation, translate
from model.edit import edited_pass, edits
from model.edit.edit_effects import head_effects
from model.graph.page_tokenizer import is_equal, target_file, token_table, tokenizer_file
from model.graph.score_rows import SIDES
from model.graph.traced_passes import patch_places, scale_shape, scaled_heads
from model.measurements import ordinary
from model.pretrained import importing
from model.pretrained.folder import Folder
from model.tokenization.tokenizer import Tokenizer
from model.trace import ATTENTION_KINDS, AttentionKind, Tap
from pages.shared.links import ENGINE
from pages.shared.server.routes import engine_route
from tests.live.strings import strings
from tests.model.pretrained.hub.repositories import lay
from tests.model.pretrained.hub.writing import write
from tests.model.pretrained.small import build
from tests.model.pretrained.strings import HARD, TYPED
from tests.model.pretrained.strings import STRINGS as MIXED
from tests.model.pretrained.test_hub_tokenizers import read
from tests.node import hosted, run_tests

STRINGS = 10_000
MODULES = Path(__file__).parent / "frontend"
# of each architecture and of some methods of position
MODELS = (("de-en", "gpt-char", "copy-8-alibi"), ("zh-en", "gpt-char", "llm-rotary", "mini-encoder"))
SENTENCES = 8  # of each model that are translated
DOUBTED = {"de-en": "Das E-Mail-Zwerchfell, gut?", "zh-en": "我没有龘龘 “姐姐”！"}  # words that training never showed
WITH_VALUES = 2  # of them of which every value is held against the app's


def test_tokens_are_those_of_python(tmp_path: Path) -> None:
    entries = catalogue.sentence_models()
    cases = [_tokens(entry, STRINGS // len(entries) + 1, seed) for seed, entry in enumerate(entries.values())]
    run_tests([MODULES / "tokens.test.mjs"], tmp_path, tokens=cases)


# of whose normalizers the library knows every step; with added pieces, and with a mask
IMPORTED = ("gpt2", "qwen2", "opt", "bart", "byt5", "bert-cased", "llama", "gemma")


@pytest.mark.parametrize("added", [{}, {"<user>": 0, "<user>:": 1}])
def test_tokens_of_imported_models_are_those_of_python(added: dict[str, int], tmp_path: Path) -> None:
    cases = []
    for name in IMPORTED:
        ids = lay(name, tmp_path / name)
        size = ids["vocab_size"]
        fields = json.loads((tmp_path / name / "config.json").read_text())
        write(tmp_path / name, "config.json", fields | {"vocab_size": size + len(added)})
        write(tmp_path / name, "added_tokens.json", {piece: size + number for piece, number in added.items()})
        tokenizer = read(tmp_path / name).ours
        if is_equal(tokenizer):
            cases.append(_imported(name, tokenizer))
    assert len(cases) >= 4
    run_tests([MODULES / "tokens.test.mjs"], tmp_path, tokens=cases)


def _imported(name: str, tokenizer: Tokenizer) -> dict[str, object]:
    """Words and unknown characters are not told of an imported model."""
    typed = [f"a {mark} b{mark}c  {mark}: d" for mark in ("<user>", tokenizer.mask or "_")]
    apart = ["\ufeff", tokenizer.separator or "\ufeff"]  # which JavaScript joins to none; what parts two texts
    texts = [text for text in (*MIXED, *HARD, *TYPED, *typed) if not any(mark in text for mark in apart)]
    return {
        "name": name,
        "table": token_table(tokenizer),
        "source": tokenizer_file(tokenizer),
        "target": target_file(tokenizer),
        "strings": [_read(tokenizer, text) | {"words": {}, "unknown": []} for text in texts],
    }


@pytest.mark.parametrize("name", ["mt5", "bert-cased"])
def test_a_tokenizer_that_a_browser_cannot_have_is_refused(name: str, tmp_path: Path) -> None:
    """Bytes of a unigram model, and added pieces that are found in the normalized text."""
    ids = lay(name, tmp_path)
    write(tmp_path, "config.json", json.loads((tmp_path / "config.json").read_text()) | {"vocab_size": 1000})
    write(tmp_path, "added_tokens.json", {"<user>": ids["vocab_size"]})
    assert not is_equal(read(tmp_path).ours)


def _tokens(entry: Entry, count: int, seed: int) -> dict[str, object]:
    """Table and files of a tokenizer as a page gets them, and Python's result for many strings."""
    tokenizer = catalogue.load_tokenizer(entry)
    return {
        "name": entry.name,
        "table": token_table(tokenizer),
        "source": tokenizer_file(tokenizer),
        "target": target_file(tokenizer),
        "strings": [_read(tokenizer, text) for text in strings(catalogue.sentences(entry), count, seed)],
    }


def _read(tokenizer: Tokenizer, text: str) -> dict[str, object]:
    ids = tokenizer.encode(text)
    return {
        "text": text,
        "ids": ids,
        "tokens": tokenizer.tokens(ids, begins=True),
        "decoded": tokenizer.decode(ids),
        "words": {} if tokenizer.spells else tokenizer.words_in(text),
        "unknown": tokenizer.unknown_characters(text),
    }


def test_pairs_and_labels_are_those_of_python(tmp_path: Path) -> None:
    cases = []
    for name in ("minilm", "roberta"):
        build(name, tmp_path / name)
        tokenizer = importing.convert(Folder(tmp_path / name)).checkpoint.tokenizer
        mark = tokenizer.separator
        texts = [
            "The dog sleeps.",
            f"Where is the dog? {mark} The dog sleeps.",
            f"a{mark}\n b",
            f"x {mark} 火车站",
        ]
        cases.append({
            "name": name,
            "table": token_table(tokenizer),
            "source": tokenizer_file(tokenizer),
            "pairs": [_pair(tokenizer, text) for text in texts],
            "refused": {
                **dict.fromkeys([f"{mark} b", f"a {mark}", mark], "sentence_pair"),
                f"a {mark} b {mark} c": "sentence_texts",
            },
        })  # fmt: skip
    logits = np.random.default_rng(1).normal(size=(6, 2)).astype(np.float32)
    shares = [
        {
            "kind": kind,
            "logits": logits.tolist(),
            "shares": labels.shares(kind, logits).tolist(),
            "span": labels.span(logits, range(1, 6)),
        }
        for kind in ("one", "several", "score", "span")
    ]
    (tmp_path / "labels.json").write_text(json.dumps(shares), encoding="utf-8")
    run_tests([MODULES / "pairs.test.mjs"], tmp_path, pairs=cases)


def test_modules_that_need_nothing_of_python(tmp_path: Path) -> None:
    run_tests([file for file in MODULES.glob("*.test.mjs") if "./cases.mjs" not in file.read_text()], tmp_path)


def _pair(tokenizer: Tokenizer, text: str) -> dict[str, object]:
    ids = tokenizer.encode(text)
    places = tokenizer.last_text(ids)
    return {
        "text": text,
        "ids": ids,
        "shown": tokenizer.tokens(ids, begins=True),
        "second": tokenizer.second_text(ids),
        "last": (places.start, places.stop),
    }


@pytest.mark.sample(2)
@pytest.mark.parametrize("names", MODELS, ids=" ".join)
def test_outputs_are_those_of_the_app(names: tuple[str, ...], tmp_path: Path) -> None:
    cases = [_model(catalogue.find(name), tmp_path) for name in names]
    run_tests([MODULES / "engine.test.mjs"], tmp_path, models=cases)
    with hosted([engine_route.ROUTE]) as address:
        run_tests([MODULES / "engine.test.mjs"], tmp_path, f"{address}{ENGINE}")


def _model(entry: Entry, folder: Path) -> dict[str, object]:
    """The file of a model, and what the app writes for some sentences, held-out ones among them."""
    checkpoint = load(entry)
    (folder / f"{entry.name}.model").write_bytes(model_file(checkpoint, entry))
    sentences = list(dict.fromkeys(catalogue.sentences(entry)[::-1]))[:SENTENCES]
    sentences += [DOUBTED[entry.name]] if entry.name in DOUBTED else []
    runs = [translate(checkpoint, sentence) for sentence in sentences]
    return {
        "name": entry.name,
        "outputs": [_output(checkpoint, run) | {"doubt": _doubt(entry, run)} for run in runs],
        "changed": [_changed(checkpoint, runs[0]), _patched(checkpoint, runs[0], runs[1])],
        "values": [_values(run, folder / f"{entry.name}.{number}") for number, run in enumerate(runs[:WITH_VALUES])],
        "forced": _forced(checkpoint, runs[1]) if runs[1].target else None,
        "effects": _effects(checkpoint, runs[0]),
        "analyses": _analyses(checkpoint, runs[0]),
        "gradients": [
            _gradient(checkpoint, run, row) for run in runs[:2] if run.target for row in {0, len(run.target) - 1}
        ],
        "rows": [
            _row(checkpoint, runs[0], kind, layer)
            for kind in runs[0].trace.kinds
            for layer in range(len(runs[0].trace.weights(kind)))
        ],
    }


def _row(checkpoint: Checkpoint, run: Translation, kind: AttentionKind, layer: int) -> dict[str, object]:
    """The terms of a cell of a head, its row without one of them, and what the page asks for that."""
    _, heads, queries, _ = run.trace.weights(kind).shape
    head, query = layer % heads, queries - 1 - layer % 2
    row = score_row(checkpoint.model, run.trace.values, kind, layer, head, query)
    key = int(np.flatnonzero(row.allowed)[-1])
    sides = [{"parts": [place.recorded for place in each], "groups": groups(each)} for each in (row.queries, row.keys)]
    parts = [list(groups(each).values()) for each in (row.queries, row.keys)]
    both = [row.table(key, centred=centred) for centred in (False, True)]
    without = row.without(parts[0][1], parts[1][0])
    return {
        "kind": kind,
        "layer": layer,
        "parts": dict(zip(("queries", "keys"), sides, strict=True)),
        "picked": {"head": head, "query": query, "key": key, "of_query": 1, "of_key": 0},
        "grouped": dict(zip(("queries", "keys"), parts, strict=True)),
        "table": [[[table[np.ix_(p, r)].sum() for r in parts[1]] for p in parts[0]] for table in both],
        "score": [row.score(key, centred=centred) for centred in (False, True)],
        "sides": [[row.sides(key, centred=centred)[side] for side in SIDES] for centred in (False, True)],
        "weights": [row.weights.tolist(), without.tolist(), without.tolist()],
    }


def _analyses(checkpoint: Checkpoint, run: Translation) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """The name of each analysis of the model, an input, and what the app's functions make of it, as lists."""
    model, values = checkpoint.model, run.trace.values
    side = "decoder" if run.target else "encoder"
    stream = values[f"{side}.input"][:2]
    cases = [("lengths", stream, residual_stream.lengths(stream))]
    if run.source:
        cases.append(("near_encoder", np.array(run.source[1:3]), _near(model.source_embedding, run.source[1:3])))
    if run.target:
        scores = values["decoder.0.self_attention.scores"]
        path = np.array([(scale, 9 * scale**3, 27 * scale**3, 0) for scale in integration.first_scales()])
        cases += [
            ("path", path, torch.cat(integration.refined(torch.from_numpy(path))).numpy()),
            ("lens", stream, logit_lens.early_logits(model, "decoder", stream)),
            ("near_decoder", np.array(run.target[1:3]), _near(model.target_embedding, run.target[1:3])),
            ("unmasked", scores, softmax(scores.astype(float))),
        ]
    batched = [(name, given if name == "path" else given[None], result) for name, given, result in cases]
    return [(name, given.tolist(), result.tolist()) for name, given, result in batched]


def _gradient(checkpoint: Checkpoint, run: Translation, row: int) -> dict[str, object]:
    """What the app computes of the token at a row, with the embeddings as they are and with smaller ones."""
    scales, word = (1.0, 0.3), int(run.trace.values["logits"][row].argmax())
    question = Question(run, row, word)
    scores, products = times_input(checkpoint, question, scales)
    values = {"scores": scores.tolist(), "products": products.tolist()}
    path = integrated_gradients(checkpoint, question)
    assert path.holds
    return {
        "source": run.source,
        "target": question.target,
        "asked": {"row": row, "word": word, "scales": scales},
        "integrated": {"values": path.values.tolist()}
        | {name: getattr(path, name) for name in ("change", "tolerance", "points")},
    } | values


def _near(table: torch.nn.Embedding, ids: Sequence[int]) -> np.ndarray:
    rows = table.weight.detach().numpy()
    return np.stack([cosine(rows, rows[id_]) for id_ in ids])


def _output(checkpoint: Checkpoint, run: Translation) -> dict[str, object]:
    trace = run.trace
    return {
        "sentence": run.sentence,
        "text": run.text,
        "stop": run.stop,
        "source": run.source,
        "target": run.target,
        "tokens": [trace.source_tokens, trace.target_tokens, trace.output_tokens],
        "steps": _steps(checkpoint, run),
    }


def _doubt(entry: Entry, run: Translation) -> dict[str, object] | None:
    """The score of the measured rule, and what each word of the source got."""
    rule = ordinary.rule(entry)
    if rule is None:
        return None
    found, most = doubt.signs(run), run.trace.weights("cross").max(axis=(0, 1, 2))
    words = doubt.plain_words(run.trace.source_tokens)
    looked = [float(most[start:end].max()) for start, end in words]
    return {"score": rule.score(found), "isDoubted": rule.doubts(found), "words": words, "looked": looked}


def _steps(checkpoint: Checkpoint, run: Translation) -> list[tuple[list[int], list[float], int, float]]:
    """Of each step the candidates, their probabilities, the written token and that of all others."""
    if not run.target:
        return []
    first = len(decoding_start(checkpoint, run.sentence).prompt) - 1
    rows = run.trace.values["logits"][first:]
    listed = [candidates(row, int(row.argmax()), 8) for row in rows]
    return [(list(each.ids), list(each.probabilities), each.chosen, each.others) for each in listed]


def _off(checkpoint: Checkpoint, run: Translation) -> tuple[list[dict[str, object]], Tap]:
    """The first two heads of the model's last kind of attention, switched off and halved, and the tap for it."""
    config, kind = checkpoint.model.config, run.trace.kinds[-1]
    scales = np.ones((1, *scale_shape(config)), np.float32)
    heads = [(0, 0.0), (config.heads - 1, 0.5)]
    for head, scale in heads:
        scales[0, ATTENTION_KINDS.index(kind), 0, head] = scale
    tap = scaled_heads(config, torch.from_numpy(scales), lambda _, value: value)
    return [{"kind": kind, "layer": 0, "head": head, "scale": scale} for head, scale in heads], tap


def _changed(checkpoint: Checkpoint, run: Translation) -> dict[str, object]:
    """Output of the model with heads off."""
    heads, tap = _off(checkpoint, run)
    return {"heads": heads, **_output(checkpoint, translate(checkpoint, run.sentence, tap=tap))}


def _patched(checkpoint: Checkpoint, run: Translation, other: Translation) -> dict[str, object]:
    """Output with rows of another sentence's streams: on the first layer of each side, and last of all."""
    values, streams = other.trace.values, patch_places(checkpoint.model.config)
    names = [name for name in streams if ".0." in name or name == streams[-1]]
    places = [(name, len(values[name]) // 2) for name in names]
    own = [edits.patch(name, values[name], row=1, from_row=row) for name, row in places]
    tap = edited_pass.compose(checkpoint.model, *own)
    patches = [{"name": name, "row": 1, "vector": values[name][row].tolist()} for name, row in places]
    return {"patches": patches, **_output(checkpoint, translate(checkpoint, run.sentence, tap=tap))}


def _forced(checkpoint: Checkpoint, run: Translation) -> dict[str, object]:
    """Output that follows the first token and another one than the second."""
    start = decoding_start(checkpoint, run.sentence)
    forced = [run.ids[len(start.prompt) - 1], 7]
    decoded = follow(checkpoint.model, start, forced)
    return {"sentence": run.sentence, "forced": forced, "ids": decoded.ids, "stop": decoded.stop}


def _values(run: Translation, file: Path) -> list[tuple[str, Sequence[int]]]:
    """Names and shapes of all values; the numbers are in the file, one after the other."""
    with file.open("wb") as opened:
        for value in run.trace.values.values():
            opened.write(np.ascontiguousarray(value, "<f4").tobytes())
    return [(name, value.shape) for name, value in run.trace.values.items()]


def _effects(checkpoint: Checkpoint, run: Translation) -> list[tuple[str, int, list[list[float]]]]:
    layers = {kind: len(run.trace.weights(kind)) for kind in run.trace.kinds}
    return [
        (kind, layer, head_effects(checkpoint, run, kind, layer).tolist())
        for kind, count in layers.items()
        for layer in range(count)
    ]


@pytest.mark.full
@pytest.mark.parametrize("name", ["de-en", "zh-en"])
def test_every_held_out_sentence_is_translated_the_same(name: str, tmp_path: Path) -> None:
    """One sentence after the other on both sides: in a batch, padding changes the last digit of a score."""
    entry, recipe = catalogue.find(name), recipes.find(name)
    checkpoint = load(entry)
    sources = {pair.source for pairs in recipe.corpus(recipe.seed).tests("test").values() for pair in pairs}
    (tmp_path / "model").write_bytes(model_file(checkpoint, entry))
    cases = [(source, *_written(checkpoint, source)) for source in sorted(sources)]
    run_tests([MODULES / "held_out.test.mjs"], tmp_path, held_out=cases)


def _written(checkpoint: Checkpoint, sentence: str) -> tuple[tuple[int, ...], str]:
    decoded = follow(checkpoint.model, decoding_start(checkpoint, sentence))
    return decoded.ids, decoded.stop
