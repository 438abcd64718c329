"""The engine of a page on the server: what live/frontend/engine.js promises, computed by torch.

A page asks it as it asks the graphs in its worker, for a model that is too large for a browser. S source tokens,
T target tokens, V vocabulary, H heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.analysis import labels
from model.analysis.softmax import log_softmax
from model.attribution.gradients import tokens_at_once
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.checkpoint.length_limit import readable_tokens
from model.decode.decoding_loop import Decoded, decode
from model.decode.start import DecodingStart, decoding_start
from model.decode.token_sampling import candidates
from model.decode.translate import encode, target_ids
from model.errors import InvalidInput
from model.graph.analyses import Computed, analyses_of
from model.graph.description import describe
from model.graph.export import value_shapes
from model.graph.gradient_graph import GRADIENT, Products, described
from model.graph.gradient_graph import OUTPUTS as GRADIENT_OUTPUTS
from model.graph.score_rows import (
    GROUPED,
    OUTPUTS,
    PICKED,
    Parts,
    ScoreRows,
    belonging,
    names_before,
    score_parts,
    short_pass,
)
from model.graph.traced_passes import (
    Patched,
    WholePass,
    layer_counts,
    norm_names,
    patch_places,
    scale_shape,
    scaled_heads,
)
from model.trace import ATTENTION_KINDS, AttentionKind, Tap

CANDIDATES = 8
MOST = 4_000_000  # numbers of an input of an analysis
Heads = Sequence[Mapping[str, Any]]  # { kind, layer, head, scale } each
Patches = Sequence[Mapping[str, Any]]  # { name, row, vector } each
Values = dict[str, np.ndarray]


@dataclass(frozen=True)
class Answer:
    """An answer by the names of engine.js: what is plain, and groups of arrays in float32, such as `values`."""

    plain: dict[str, Any]
    arrays: dict[str, Values] = field(default_factory=dict)


class ServerEngine:
    """Answers about one model. Raises `InvalidInput` for what cannot be computed; changes nothing of the model."""

    def __init__(self, checkpoint: Checkpoint, entry: Entry):
        self._checkpoint, self._entry = checkpoint, entry
        self._config, self._model = checkpoint.model.config, checkpoint.model
        self._parts_of: dict[tuple[AttentionKind, int], Parts] = {}

    @cached_property
    def description(self) -> dict[str, Any]:
        """As `open` promises it."""
        known = describe(self._checkpoint, self._entry.card, value_shapes(self._model))
        tokenizer = self._checkpoint.tokenizer
        return known | {"shown": tokenizer.tokens(range(tokenizer.size)), GRADIENT: described(self._checkpoint)}

    def opened(self) -> Answer:
        """The description as an answer."""
        return Answer(self.description)

    def encode(self, text: str) -> Answer:
        """The tokens of a text."""
        ids = encode(self._checkpoint, text)
        tokens = self._checkpoint.tokenizer.tokens(ids, begins=True)
        return Answer({"ids": ids, "tokens": tokens, **self._strange(text)})

    def decode(self, ids: Sequence[int]) -> Answer:
        """The text of ids."""
        return Answer({"text": self._checkpoint.tokenizer.decode(self._ids(ids, self._config.target_vocabulary))})

    def encode_target(self, text: str) -> Answer:
        """The ids of a text as an output."""
        return Answer({"ids": target_ids(self._checkpoint, text)})

    def write(
        self,
        text: str,
        heads: Heads = (),
        forced: Sequence[int] = (),
        count: int = CANDIDATES,
        only: Sequence[str] | None = None,
        patches: Patches = (),
    ) -> Answer:
        """Translate, continue or read a sentence, then one pass over all that was read."""
        config, tokenizer = self._config, self._checkpoint.tokenizer
        forced = self._ids(forced, config.target_vocabulary)
        if config.architecture == "encoder":
            start, decoded = DecodingStart(tuple(encode(self._checkpoint, text)), (), 0), Decoded((), "eos")
        else:
            start = decoding_start(self._checkpoint, text)
            begun = [start.source or start.prompt]
            tap = Patched(self._config, *self._rows(patches), self._tap([heads]))
            [decoded] = decode(self._model, begun, start.limit, forced=forced, tap=tap)
        target = [*start.prompt, *decoded.ids][:-1]
        first = max(0, len(start.prompt) - 1)
        passed = self.run(start.source, target, heads, only, written=decoded.ids, first=first, count=count,
                          patches=patches)  # fmt: skip
        written = [*start.prompt, *decoded.ids] if config.architecture == "decoder" else decoded.ids
        output = tokenizer.decode(written) if decoded.ids else self._filled(start.source, passed)
        read = {"source": start.source, "prompt": start.prompt, "target": target}
        plain = {"text": output, "ids": decoded.ids, "stop": decoded.stop, **read, **self._strange(text)}
        return Answer(passed.plain | plain, passed.arrays)

    def run(
        self,
        source: Sequence[int],
        target: Sequence[int],
        heads: Heads = (),
        only: Sequence[str] | None = None,
        *,
        written: Sequence[int] | None = None,
        first: int = 0,
        count: int = CANDIDATES,
        patches: Patches = (),
    ) -> Answer:
        """One pass over given ids; `pass` of engine.js."""
        source, target = self._read(source, target)
        module = WholePass(self._model)
        with torch.inference_mode():
            outputs = module(*self._inputs(source, target), self._scales([heads]), *self._rows(patches))
        names = [*module.names, *norm_names(self._config)]
        found = {name: value[0].float().cpu().numpy() for name, value in zip(names, outputs, strict=True)}
        logits = found.get("logits", np.zeros((0, 0), np.float32))
        predicted = logits.argmax(axis=-1).tolist() if logits.size else []
        asked = self._ids(predicted[first:] if written is None else written, max(1, logits.shape[-1]))
        tokenizer = self._checkpoint.tokenizer
        kept = module.names if only is None else [name for name in only if name in found]
        plain = {
            "sourceTokens": tokenizer.tokens(source, begins=True),
            "targetTokens": tokenizer.tokens(target, begins=True),
            "outputTokens": tokenizer.tokens(predicted, begins=bool(source)),
            "predicted": predicted,
            "second": tokenizer.second_text(source) if source else None,
            "answer": self._answer(source, found["labels"]) if self._config.label_kind == "span" else None,
            "steps": [
                self._step(row, id_, at, count)
                for at, (row, id_) in enumerate(zip(logits[first:], asked, strict=False))
            ],
        }
        norms = {"norms": {name: found[name] for name in norm_names(self._config)}} if only is None else {}
        return Answer(plain, {"values": {name: found[name] for name in kept}} | norms)

    def effects(self, source: Sequence[int], target: Sequence[int], heads: Heads = ()) -> Answer:
        """What switching off each head changes, layer by layer; see engine.js."""
        source, target = self._read(source, target)
        before = self._outputs(source, target, [heads])[0]
        found = []
        for kind, layers in layer_counts(self._config).items():
            for layer in range(layers):
                off = {"kind": kind, "layer": layer, "scale": 0}
                passes = [[*heads, off | {"head": head}] for head in range(self._config.heads)]
                after = (self._outputs(source, target, [each])[0] for each in passes)  # one at a time: V may be large
                found.append({"kind": kind, "layer": layer, "effects": [self._change(before, each) for each in after]})
        return Answer({"layers": found})

    def analyse(self, name: str, values: np.ndarray) -> Answer:
        """One of `model/graph/analyses.py` of an input, batch first."""
        analysis = analyses_of(self._config).get(name)
        if analysis is None:
            raise InvalidInput("engine_call")
        shape = analysis.shape(self._config)
        is_fitting = len(shape) == values.ndim and values.size <= MOST
        if not is_fitting or any(
            isinstance(size, int) and size != given for size, given in zip(shape, values.shape, strict=True)
        ):
            raise InvalidInput("engine_call")
        with torch.inference_mode():
            given = torch.from_numpy(np.ascontiguousarray(values)).to(self._model.device, analysis.kind)
            try:
                output = Computed(self._model, analysis)(given).float().cpu().numpy()
            except (IndexError, RuntimeError):  # an id or a length that the analysis does not know
                raise InvalidInput("engine_call") from None
        return Answer({}, {"values": {"output": output}})

    def gradients(
        self, source: Sequence[int], target: Sequence[int], row: int, word: int, scales: Sequence[float]
    ) -> Answer:
        """Score and gradient × input of a token at each scale of the embeddings; see engine.js."""
        source, target = self._read(source, target)
        most = max(1, tokens_at_once(self._checkpoint) // (len(source) + len(target)))
        if not self.description[GRADIENT] or not 1 <= len(scales) <= most:
            raise InvalidInput("engine_call")
        numbers = self._ids([row], len(target)), self._ids([word], self._config.target_vocabulary)
        given = (*map(torch.tensor, numbers), torch.tensor(scales, dtype=torch.float32))
        found = Products(self._model)(*self._inputs(source, target), *given)
        values = {name: each.cpu().numpy() for name, each in zip(GRADIENT_OUTPUTS, found, strict=True)}
        return Answer({}, {"values": values})

    def score_parts(self, kind: AttentionKind, layer: int) -> Answer:
        """What queries and keys of an attention are made of; see `score_rows.score_parts`."""
        self._check_place(kind, layer)
        return Answer({"sides": self._parts(kind, layer)})

    def score_row(
        self,
        source: Sequence[int],
        target: Sequence[int],
        heads: Heads,
        kind: AttentionKind,
        layer: int,
        picked: Mapping[str, int],
        grouped: Mapping[str, Sequence[Sequence[int]]],
    ) -> Answer:
        """The terms of a cell by `ScoreRows`: `picked` are its numbers, `grouped` has the parts of each group."""
        self._check_place(kind, layer)
        source, target = self._read(source, target)
        counts = [len(side["parts"]) for side in self._parts(kind, layer).values()]
        groups = [
            [self._ids(group, count) for group in grouped[name]] for name, count in zip(GROUPED, counts, strict=True)
        ]
        if any(sum(map(len, side)) > count for side, count in zip(groups, counts, strict=True)):
            raise InvalidInput("engine_call")
        lengths = len(source if kind == "encoder" else target), len(target if kind == "decoder" else source)
        ends = (self._config.heads, *lengths, *map(len, groups))
        numbers = [self._ids([picked[name]], end) for name, end in zip(PICKED, ends, strict=True)]
        module = WholePass(self._model)
        with torch.inference_mode():
            values = module(*self._inputs(source, target), self._scales([heads]), *self._rows())
            names = names_before(kind, layer, module.names)
            given = [torch.tensor(each, device=self._model.device) for each in (*numbers, *belonging(groups, counts))]
            found = ScoreRows(self._model, kind, layer, names)(*values[: len(names)], *given)
        return Answer({}, {"values": {name: each.cpu().numpy() for name, each in zip(OUTPUTS, found, strict=True)}})

    def _parts(self, kind: AttentionKind, layer: int) -> Parts:
        if (kind, layer) not in self._parts_of:
            self._parts_of[kind, layer] = score_parts(self._model, self._short_pass, kind, layer)
        return self._parts_of[kind, layer]

    @cached_property
    def _short_pass(self) -> Values:
        return short_pass(self._model)

    def _check_place(self, kind: AttentionKind, layer: int) -> None:
        if layer not in range(layer_counts(self._config).get(kind, 0)):
            raise InvalidInput("engine_call")

    # parts of an answer

    def _step(self, logits: np.ndarray, id_: int, index: int, count: int) -> dict[str, Any]:
        shown, found = self._checkpoint.tokenizer.tokens, candidates(logits, id_, count)
        listed = [
            {"id": each, "token": token, "probability": share}
            for each, token, share in zip(found.ids, shown(found.ids), found.probabilities, strict=True)
        ]
        chosen = {"token": shown([id_])[0], "probability": found.chosen_probability, "rank": found.chosen_rank}
        return {"index": index, "id": id_, **chosen, "candidates": listed, "others": found.others}

    def _answer(self, source: Sequence[int], logits: np.ndarray) -> dict[str, Any]:
        tokenizer = self._checkpoint.tokenizer
        shares = labels.shares("span", logits)
        first, last = labels.span(logits, tokenizer.last_text(source))
        share, none = shares[first, 0] * shares[last, 1], shares[0, 0] * shares[0, 1]
        return {"text": tokenizer.decode(source[first : last + 1]), "share": float(share), "none": float(none)}

    def _filled(self, source: Sequence[int], passed: Answer) -> str:
        """The text with every hidden word replaced; empty where none is hidden."""
        tokenizer, predicted = self._checkpoint.tokenizer, passed.plain["predicted"]
        if not self._checkpoint.trained or tokenizer.mask_id not in source or not predicted:
            return ""
        pairs = zip(source, predicted, strict=True)
        return tokenizer.decode([new if id_ == tokenizer.mask_id else id_ for id_, new in pairs])

    def _strange(self, text: str) -> dict[str, Any]:
        tokenizer = self._checkpoint.tokenizer
        hidden = (tokenizer.mask or "") if self._config.architecture == "encoder" else ""
        unseen = [word for word in tokenizer.unseen_words(text) if word not in hidden]
        unknown = [character for character in tokenizer.unknown_characters(text) if character not in hidden]
        return {"words": [], "unseenWords": unseen, "unknownCharacters": unknown}

    def _outputs(self, source: Sequence[int], target: Sequence[int], passes: Sequence[Heads]) -> np.ndarray:
        """Logits (N, T, V) of several passes, of an encoder alone its output (N, S, d)."""
        ids = [each.expand(len(passes), -1) for each in self._inputs(source, target)]
        both = [ids[0] if source else None, ids[-1] if target else None]
        with torch.inference_mode():
            if not target:
                return self._model.encode(ids[0], None, self._tap(passes)).float().cpu().numpy()
            return self._model(*both, None, self._tap(passes)).float().cpu().numpy()

    def _change(self, before: np.ndarray, after: np.ndarray) -> list[float]:
        """Of each row: by how much log p of its likeliest token changes, in nats; of vectors, their cosine minus 1."""
        if not self._config.decoder_layers:
            size = np.linalg.norm(before, axis=-1) * np.linalg.norm(after, axis=-1)
            return ((before * after).sum(axis=-1) / size - 1).tolist()
        likeliest = before.argmax(axis=-1)[:, None]
        both = (log_softmax(each.astype(float)) for each in (before, after))
        old, new = (np.take_along_axis(each, likeliest, axis=-1)[:, 0] for each in both)
        return (new - old).tolist()

    # inputs

    def _inputs(self, source: Sequence[int], target: Sequence[int]) -> list[Tensor]:
        return [torch.tensor([ids], device=self._model.device) for ids in (source, target) if ids]

    def _scales(self, passes: Sequence[Heads]) -> Tensor:
        scales = torch.ones(len(passes), *scale_shape(self._config), device=self._model.device)
        counts = layer_counts(self._config)
        for number, heads in enumerate(passes):
            for each in heads:
                kind, layer, head, scale = (each.get(name) for name in ("kind", "layer", "head", "scale"))
                is_here = kind in counts and layer in range(counts[kind]) and head in range(self._config.heads)
                if not is_here or not isinstance(scale, int | float):
                    raise InvalidInput("engine_call")
                scales[number, ATTENTION_KINDS.index(kind), layer, head] = float(scale)
        return scales

    def _rows(self, patches: Patches = ()) -> tuple[Tensor, Tensor]:
        """Rows (N, R) and vectors (N, R, d) as `Patched` wants them."""
        config, names = self._config, patch_places(self._config)
        rows, patch = torch.full((len(names), len(patches)), -1), torch.zeros(len(names), len(patches), config.d_model)
        for number, each in enumerate(patches):
            vector = torch.tensor(each["vector"])
            if each["name"] not in names or vector.shape != patch.shape[2:]:
                raise InvalidInput("engine_call")
            [row] = self._ids([each["row"]], readable_tokens(config))
            place = names.index(each["name"]), number
            rows[place], patch[place] = row, vector
        return rows.to(self._model.device), patch.to(self._model.device)

    def _tap(self, passes: Sequence[Heads]) -> Tap:
        return scaled_heads(self._config, self._scales(passes), lambda _, value: value)

    def _read(self, source: Sequence[int], target: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Ids of both sides, those that the model has and can read."""
        config = self._config
        read = (self._ids(source, config.source_vocabulary), self._ids(target, config.target_vocabulary))
        counts = [len(each) for each in read]
        if any(count > readable_tokens(config) for count in counts):
            raise InvalidInput("engine_call")
        if [bool(count) for count in counts] != [bool(config.encoder_layers), bool(config.decoder_layers)]:
            raise InvalidInput("engine_call")
        return read

    def _ids(self, ids: Iterable[int], vocabulary: int) -> tuple[int, ...]:
        read = tuple(ids)
        if not all(isinstance(id_, int) and 0 <= id_ < vocabulary for id_ in read):
            raise InvalidInput("engine_call")
        return read
