"""Holds an imported model against transformers itself, where that is installed: ids, attention weights and outputs."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.checkpoint.checkpoints import Checkpoint
from model.decode.recorded_pass import recorded
from model.decode.translate import translate
from model.errors import InvalidInput
from model.pretrained.vocabulary import NEVER, Numbering
from model.trace import ATTENTION_KINDS, path

MOST = 1e-4  # that weights, and outputs as a share of their range, may differ by; rounding alone makes about 1e-6
_UNUSED = re.compile(r"pooler\.|embed_positions\.weight$")  # tensors that a class has and that change nothing here
_CLASSES = {"encoder-decoder": "AutoModelForSeq2SeqLM", "decoder": "AutoModelForCausalLM"}


@dataclass(frozen=True)
class Proof:
    """With which version of transformers a model was compared, over how many sentences, and the largest difference.

    Weights count as they are (0 to 1), outputs as a share of the range between the lowest and the highest of a pass.
    """

    version: str
    difference: float
    sentences: int


def is_possible() -> bool:
    """Whether transformers is installed."""
    return importlib.util.find_spec("transformers") is not None


def prove(folder: Path, checkpoint: Checkpoint, numbering: Numbering, sentences: Sequence[str]) -> Proof:
    """Run the sentences in both. Raises `InvalidInput` where they differ, or transformers cannot read the folder."""
    import transformers

    version, largest = transformers.__version__, 0.0
    original, tokenizer = read(folder, checkpoint)
    for sentence in sentences:
        run, texts = translate(checkpoint, sentence), checkpoint.tokenizer.texts(sentence)
        segments = {"return_token_type_ids": True} if checkpoint.model.config.segments else {}
        given = dict(tokenizer(*texts, return_tensors="pt", **segments))
        alone = checkpoint.model.config.architecture == "decoder"
        theirs, ours = given["input_ids"][0].tolist(), checkpoint.tokenizer.encode(sentence)[: -1 if alone else None]
        if alone and theirs[len(ours) :] == list(numbering.ends):  # it goes on with the sentence, and reads no end
            theirs = theirs[: len(ours)]
        if theirs != (ours := [numbering.source[id_] for id_ in ours]):
            raise InvalidInput("import_ids", version=version, sentence=sentence, theirs=theirs, ours=ours)
        for what, difference in differences(original, checkpoint, numbering, run.source, run.target, given):
            if not difference <= MOST:
                raise InvalidInput(
                    "import_differs", version=version, sentence=sentence, what=what, difference=f"{difference:.2g}"
                )
            largest = max(largest, difference)
    return Proof(version, largest, len(sentences))


def read(folder: Path, checkpoint: Checkpoint) -> tuple[Any, Any]:
    """The original model, in single precision, and its tokenizer.

    Raises `InvalidInput` where transformers cannot read the folder, or invents a part of the model.
    """
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        config = transformers.AutoConfig.from_pretrained(folder)
        loader = getattr(transformers, _class(checkpoint, (config.architectures or [""])[0]))
        options = {"dtype": torch.float32, "attn_implementation": "eager", "output_loading_info": True}
        model, loading = loader.from_pretrained(folder, **options)
        if lacking := [name for name in sorted(loading["missing_keys"]) if not _UNUSED.search(name)]:
            raise ValueError(f"it does not find {lacking[0]}")
        return model.eval(), transformers.AutoTokenizer.from_pretrained(folder)
    except Exception as error:  # whatever it raises for a folder that it cannot read
        raise _unread(error) from None


def _unread(error: Exception) -> InvalidInput:
    import transformers

    problem = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    return InvalidInput("import_unread", version=transformers.__version__, problem=problem)


def _class(checkpoint: Checkpoint, saved: str) -> str:
    """The class of transformers that computes what our model does."""
    config = checkpoint.model.config
    if config.architecture != "encoder":
        return _CLASSES[config.architecture]
    if config.label_kind == "span":
        return "AutoModelForQuestionAnswering"
    if config.labels:
        return "AutoModelForTokenClassification" if config.label_each else "AutoModelForSequenceClassification"
    if saved.endswith("EncoderModel"):
        return saved
    return "AutoModelForMaskedLM" if config.target_vocabulary else "AutoModel"


def differences(
    original: Any,
    checkpoint: Checkpoint,
    numbering: Numbering,
    source: Sequence[int],
    target: Sequence[int],
    given: Mapping[str, Any],
) -> Iterator[tuple[str, float]]:
    """The largest difference of each recorded value that the original has too, by its name.

    source, target   what the sides read, by our ids
    given            what the original's encoder reads, by its arguments; the ids of a decoder come from `target`
    """
    config, values = checkpoint.model.config, recorded(checkpoint.model, source, target)
    if target:
        side = "decoder_input_ids" if source else "input_ids"
        given = (dict(given) if source else {}) | {side: torch.tensor([[numbering.target[id_] for id_ in target]])}
    try:
        with torch.inference_mode():
            out = original(**given, output_attentions=True, return_dict=True)
    except Exception as error:  # whatever it raises for a config that it cannot compute
        raise _unread(error) from None
    own, both = out.get("attentions"), bool(source and target)
    attentions = {
        "encoder": out.get("encoder_attentions") if both else own if source else None,
        "decoder": out.get("decoder_attentions") if both else own if target else None,
        "cross": out.get("cross_attentions"),
    }
    for kind in ATTENTION_KINDS:
        for layer, weights in enumerate(attentions[kind] or ()):
            name = f"{path(kind, layer)}.weights"
            yield name, _largest(values[name], weights[0].numpy())
    if config.labels:
        logits = torch.stack([out.start_logits, out.end_logits], -1) if config.label_kind == "span" else out.logits
        yield "labels", _share(values["labels"], logits[0].numpy() if config.label_each else logits.numpy())
    elif config.target_vocabulary:
        bias = checkpoint.model.output.bias
        written = [id_ for id_, value in enumerate(bias.tolist()) if value > NEVER / 2]  # the others are new, or banned
        theirs = [numbering.target[id_] for id_ in written]
        yield "logits", _share(values["logits"][:, written], out.logits[0].numpy()[:, theirs])
    else:
        yield "encoder.output", _share(values["encoder.output"], out.last_hidden_state[0].numpy())


def _largest(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.abs(ours - theirs).max()) if ours.shape == theirs.shape else float("inf")


def _share(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference as a share of the range of values; of a single value as a share of its size."""
    scale = float(np.ptp(theirs)) or float(np.abs(theirs).max())
    return _largest(ours, theirs) / max(1e-9, scale)
