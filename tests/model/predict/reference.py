"""Keys of predictions worked out another way: no edits, no recorded trace; copies of the weights and plain passes."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from model.checkpoint.checkpoints import Checkpoint
from model.decode.start import decoding_start
from model.predict.prediction import NONE
from model.tokenization.tokenizer import EOS
from model.trace import Recorder
from model.transformer import MultiHeadAttention, Transformer

Content = Mapping[str, Any]


class Reference:
    """The keys of questions about one sentence."""

    def __init__(self, checkpoint: Checkpoint, sentence: str, count: int):
        """`count` tokens were written: decoding also ends where a model only repeats itself."""
        self.checkpoint, self.model, self.tokenizer = checkpoint, checkpoint.model, checkpoint.tokenizer
        self.writes = bool(checkpoint.model.config.decoder_layers)
        if self.writes:
            self.start = decoding_start(checkpoint, sentence)
            self.source, self.prompt = list(self.start.source), list(self.start.prompt)
            self.own = self.greedy(self.model)[:count]
        else:
            self.source, self.prompt, self.own = list(self.tokenizer.encode(sentence)), [], []

    def logits(self, model: Transformer, read: Sequence[int]) -> Tensor:
        """Of the tokens that the decoder reads, (T, V)."""
        source = torch.tensor([self.source]) if self.source else None
        with torch.inference_mode():
            return model(source, torch.tensor([list(read)]))[0].double()

    def greedy(self, model: Transformer) -> list[int]:
        """What a model writes, each token by a pass over all before it."""
        written: list[int] = []
        while len(written) < self.start.limit and written[-1:] != [EOS]:
            written.append(int(self.logits(model, [*self.prompt, *written])[-1].argmax()))
        return written

    def key(self, question: Content) -> str | float:
        return getattr(self, question["question"])(question)  # type: ignore[no-any-return]

    def where(self, question: Content) -> str:
        return str(self._largest(question, question["values"]["query"], question["key"]))

    def position(self, question: Content) -> str:
        at = self._largest(question, question["values"]["query"], question["key"])
        assert at == question["values"]["at"]
        read = [*self.prompt, *self.own]
        [token] = self.tokenizer.tokens([read[at]], begins=at == 0)
        assert token == question["values"]["token"]
        return str(at)

    def _largest(self, question: Content, query: str, hint: str) -> int:
        """The key with the largest weight in the row of that token; of several rows one that has the key `hint`."""
        values = question["values"]
        recorder = Recorder()
        source = torch.tensor([self.source]) if self.source else None
        target = torch.tensor([[*self.prompt, *self.own[:-1]]]) if self.writes else None
        with torch.inference_mode():
            self.model(source, target, None, recorder)
        side = "encoder" if values["kind"] == "encoder" else "decoder"
        part = "cross" if values["kind"] == "cross" else "self"
        scores = recorder.values[f"{side}.{values['layer']}.{part}_attention.masked_scores"][values["head"]]
        weights = torch.softmax(torch.tensor(scores).double(), dim=-1)  # (Q, K)
        read = {"encoder": self.source, "decoder": [*self.prompt, *self.own[:-1]]}
        ids = read.get(values["kind"]) or [*self.prompt[1:], *self.own]
        begins = values["kind"] != "cross" or not self.source
        names = self.tokenizer.tokens(ids, begins=begins if values["kind"] != "cross" else False)
        if values["kind"] == "cross":
            names = self.tokenizer.tokens(ids, begins=True)
        found = {int(weights[row].argmax()) for row, name in enumerate(names) if name == query}
        assert found, (query, names)
        return int(hint) if int(hint) in found else min(found)

    def how_sure(self, question: Content) -> float:
        step = question["values"]["step"] - 1
        row = self.logits(self.model, [*self.prompt, *self.own[:step]])[-1]
        return 100 * float(torch.softmax(row, dim=-1)[self.own[step]])

    def head_off(self, question: Content) -> str:
        """Without the rows of the output matrix that read the head."""
        values, model = question["values"], copy.deepcopy(self.model)
        layer = model.decoder[values["layer"]]
        part = layer.cross_attention if values["kind"] == "cross" else layer.self_attention
        size = part.head_size
        with torch.no_grad():
            part.output.weight[:, values["head"] * size : (values["head"] + 1) * size] = 0
        after = self.greedy(model)
        changed = [at for at, (a, b) in enumerate(zip(self.own, after, strict=False)) if a != b]
        if not changed:
            assert after[: len(self.own)] == self.own
            return NONE
        return str(changed[0] + len(self.prompt) - 1)

    def without_mask(self, question: Content) -> str:
        """By a copy whose decoder sees everything."""
        values, model, recorder = question["values"], copy.deepcopy(self.model), Recorder()
        see_all: Callable[..., None] = lambda *_: None  # noqa: E731
        model.seen = see_all  # type: ignore[method-assign,assignment]
        source = torch.tensor([self.source]) if self.source else None
        with torch.inference_mode():
            model(source, torch.tensor([[*self.prompt, *self.own[:-1]]]), None, recorder)
        scores = recorder.values[f"decoder.{values['layer']}.self_attention.masked_scores"][values["head"]]
        row = torch.softmax(torch.tensor(scores[values["row"]]).double(), dim=-1)
        later = float(row[values["row"] + 1 :].sum())
        assert abs(later - values["later"]) < 1e-4
        return "later" if later > 0.5 else "stays"

    def without_positions(self, question: Content) -> str:
        """By a copy whose table, biases or rotations are gone."""
        model = copy.deepcopy(self.model)
        position = model.config.position
        with torch.no_grad():
            if position == "sinusoidal":
                model.sinusoids.zero_()
            elif position == "alibi":
                model.linear_bias.slopes.zero_()
            for table in getattr(model, "position_tables", {}).values():
                table.zero_()
            for bias in getattr(model, "relative_bias", {}).values():
                bias.weight.zero_()
        for part in model.modules():
            if isinstance(part, MultiHeadAttention):
                part.rotary = False
        after = self.greedy(model)
        text = self.tokenizer.decode(after if self.source else [*self.prompt, *after])
        assert text.startswith(str(question["values"]["result"]).rstrip())
        if after == self.own:
            return "same"
        return "order" if sorted(after) == sorted(self.own) else "other"

    def next_word(self, question: Content) -> str:
        values = question["values"]
        for row in range(len(self.own)):
            second = int(self.logits(self.model, [*self.prompt, *self.own[:row]])[-1].topk(2).indices[1])
            if self.tokenizer.decode([*self.own[:row], second]) == values["so_far"]:
                last = self.logits(self.model, [*self.prompt, *self.own[:row], second])[-1]
                assert f"{100 * float(torch.softmax(last, dim=-1).max()):.0f}" == values["percent"]
                return str(int(last.argmax()))
        raise AssertionError("no second choice is written so")

    def likelier(self, question: Content) -> str:
        """Every change of each kind is scored whose text is the option's."""
        losses = {}
        for name, text in question["options"]:
            [losses[name]] = {round(self._loss(ids), 4) for ids in self._changes(name) if self._text(ids) == text}
        return min(losses, key=losses.__getitem__)

    def _text(self, ids: Sequence[int]) -> str:
        return self.tokenizer.decode(ids)

    def _changes(self, name: str) -> list[list[int]]:
        own, places = self.own, range(len(self.own) - 1)
        if name == "longer":
            return [[*own[: at + 1], *own[at:]] for at in places]
        if name == "shorter":
            return [[*own[:at], *own[at + 1 :]] for at in places]
        if name == "exchanged":
            return [[*own[:at], own[at + 1], own[at], *own[at + 2 :]] for at in places[:-1]]
        logits = self.logits(self.model, [*self.prompt, *own[:-1]])
        return [[*own[:at], int(logits[at].topk(2).indices[1]), *own[at + 1 :]] for at in places]

    def _loss(self, ids: Sequence[int]) -> float:
        logits = self.logits(self.model, [*self.prompt, *ids[:-1]])
        return float(torch.nn.functional.cross_entropy(logits, torch.tensor(list(ids)), reduction="sum"))
