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
from model.checkpoint.length_limit import readable_tokens
from model.decode.recorded_pass import recorded
from model.decode.translate import can_read, translate
from model.errors import InvalidInput
from model.pretrained.vocabulary import NEVER, Numbering
from model.tokenization.tokenizer import BOS
from model.trace import ATTENTION_KINDS, path

MOST = 1e-4  # that weights, and outputs as a share of their range, may differ by; rounding alone makes about 1e-6
MOST_OF_HALF = 0.05  # the same, of weights that are rounded to half precision
LONG = 96  # tokens of the longest text
# what tokenizers treat otherwise: digits, spaces, accents, capitals, signs, other scripts
PROBES = (
    "It is 1234, or 5.6 %.", "  two  spaces\tand a tab", "Ça coûte déjà 20 €", "ALL CAPS and CamelCase",
    "don't (a, b)—“quoted” [x]", "我们今天去看电影。", "ﬁ ½ Ｆｕｌｌ", "😀 ok", "new\nline",
)  # fmt: skip
_UNUSED = re.compile(r"pooler\.|embed_positions\.weight$")  # tensors that a class has and that change nothing here
_CLASSES = {"encoder-decoder": "AutoModelForSeq2SeqLM", "decoder": "AutoModelForCausalLM"}


@dataclass(frozen=True)
class Proof:
    """With which version of transformers a model was compared, over how many sentences, and the largest difference.

    Weights count as they are (0 to 1), outputs as a share of the range between the lowest and the highest of a pass.

    otherwise   texts of `PROBES` that transformers cuts into other tokens
    """

    version: str
    difference: float
    sentences: int
    otherwise: tuple[str, ...] = ()


def is_possible() -> bool:
    """Whether transformers is installed."""
    return importlib.util.find_spec("transformers") is not None


def prove(
    folder: Path, checkpoint: Checkpoint, numbering: Numbering, sentences: Sequence[str], *, most: float = MOST
) -> Proof:
    """Run the sentences, a pair and a long text in both; cut `PROBES`.

    Raises `InvalidInput` where they differ by more than `most`, or where transformers cannot read the folder.
    """
    import transformers

    version, largest = transformers.__version__, 0.0
    original, tokenizer = read(folder, checkpoint)
    texts = [*sentences, *_more(checkpoint, sentences)]
    for what, ids in _beginning(original, checkpoint, numbering).items():
        raise InvalidInput("import_differs", version=version, sentence=texts[0], what=what, difference=ids)
    for sentence in texts:
        theirs, ours, given = _ids(checkpoint, numbering, tokenizer, sentence)
        if theirs != ours:
            raise InvalidInput("import_ids", version=version, sentence=sentence, theirs=theirs, ours=ours)
        run = translate(checkpoint, sentence)
        for what, difference in differences(original, checkpoint, numbering, run.source, run.target, given):
            if not difference <= most:
                raise InvalidInput(
                    "import_differs", version=version, sentence=sentence, what=what, difference=f"{difference:.2g}"
                )
            largest = max(largest, difference)
    probes = ((text, _ids(checkpoint, numbering, tokenizer, text)) for text in PROBES)
    return Proof(version, largest, len(texts), tuple(text for text, (theirs, ours, _) in probes if theirs != ours))


def _more(checkpoint: Checkpoint, sentences: Sequence[str]) -> list[str]:
    """A pair for a model that reads pairs, and a text as long as the model reads, or `LONG` tokens."""
    separator, config = checkpoint.tokenizer.separator, checkpoint.model.config
    plain = [text for text in sentences if len(checkpoint.tokenizer.texts(text)) == 1]
    pairs = [f"{plain[0]} {separator} {plain[-1]}"] if separator and plain else []
    room = min(LONG, readable_tokens(config)) // (2 if config.architecture == "decoder" else 1)
    long = ""
    for text in plain * LONG:
        if len(checkpoint.tokenizer.encode(f"{long} {text}".strip())) > room:
            break
        long = f"{long} {text}".strip()
    return [text for text in (*pairs, long) if text and text not in sentences and can_read(checkpoint, text)]


def _ids(
    checkpoint: Checkpoint, numbering: Numbering, tokenizer: Any, text: str
) -> tuple[list[int], list[int], dict[str, Any]]:
    """The original's ids of a text as transformers gives them and as we do, and all that its tokenizer says."""
    segments = {"return_token_type_ids": True} if checkpoint.model.config.segments else {}
    given = dict(tokenizer(*checkpoint.tokenizer.texts(text), return_tensors="pt", **segments))
    alone = checkpoint.model.config.architecture == "decoder"
    theirs, ours = given["input_ids"][0].tolist(), checkpoint.tokenizer.encode(text)[: -1 if alone else None]
    if alone and theirs[len(ours) :] == list(numbering.ends):  # it goes on with the sentence, and reads no end
        theirs = theirs[: len(ours)]
    return theirs, [numbering.source[id_] for id_ in ours], given


def _beginning(original: Any, checkpoint: Checkpoint, numbering: Numbering) -> dict[str, str]:
    """The fields by which an output begins otherwise, with both ids. Ids beyond the vocabulary, such as -1, say none.

    A model that is told a language writes it first, whether the original says one or not.
    """
    config, said = checkpoint.model.config, original.generation_config if original.can_generate() else None
    if said is None or config.architecture != "encoder-decoder":
        return {}
    start = said.bos_token_id if said.decoder_start_token_id is None else said.decoder_start_token_id
    first = [numbering.target[id_] for id_ in config.forced]
    both = {
        "decoder_start_token_id": (start, [numbering.target[BOS]]),
        "forced_bos_token_id": (said.forced_bos_token_id, first),
    }
    ids = range(config.target_vocabulary)
    return {name: f"{theirs} ≠ {ours}" for name, (theirs, ours) in both.items() if theirs in ids and theirs not in ours}


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
