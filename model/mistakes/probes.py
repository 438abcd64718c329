"""Probes for a model that may have a mistake: each measures one twin on a sample, to be shown as a figure.

T tokens, Q queries, K keys, H heads, d = d_model.
"""

from dataclasses import replace

import numpy as np
import torch
from torch import nn

from model.initial_weights import drawn_from
from model.mistakes.metrics import Sample, Twin, apart
from model.parts.layer_norms import layer_norm
from model.tokenization.tokenizer import PAD
from model.trace import Recorder

MOST_PADDING = 12  # tokens


def side(twin: Twin) -> str:
    """The first stack of a model."""
    return "encoder" if twin.model.config.encoder_layers else "decoder"


def attention_name(kind: str, layer: int) -> str:
    """The recorded name of an attention: "encoder", "decoder" or "cross"."""
    return f"decoder.{layer}.cross_attention" if kind == "cross" else f"{kind}.{layer}.self_attention"


def weights(twin: Twin, sample: Sample, kind: str, layer: int) -> np.ndarray:
    """Attention weights (H, Q, K) as they are recorded."""
    return twin.values(sample)[f"{attention_name(kind, layer)}.weights"]


def training_weights(twin: Twin, sample: Sample, kind: str, layer: int, seed: int = 0) -> np.ndarray:
    """The same, (H, Q, K), from a pass in training mode."""
    copy = apart(twin)
    copy.model.train()
    with drawn_from(seed):
        return weights(copy, sample, kind, layer)


def future_share(twin: Twin, sample: Sample) -> float:
    """How much of the decoder's self-attention falls on tokens that are still to be written, over all heads."""
    self_attention = [value for name, value in twin.values(sample).items() if _is_decoder_self(name)]
    return float(np.mean([np.triu(value, 1).sum(-1).mean() for value in self_attention]))


def _is_decoder_self(name: str) -> bool:
    return name.startswith("decoder.") and name.endswith(".self_attention.weights")


def positions(twin: Twin, sample: Sample) -> np.ndarray | None:
    """Vectors added to the embeddings, (T, d); None in a model without positions."""
    return twin.values(sample).get(f"{side(twin)}.position")


def neighbours(table: np.ndarray) -> np.ndarray:
    """How alike two neighbours are in each pair of columns of (T, d): mean cosine, (d / 2)."""
    pairs = table.reshape(len(table), -1, 2)  # (T, d / 2, 2)
    lengths = np.maximum(np.linalg.norm(pairs, axis=-1), 1e-12)
    return ((pairs[1:] * pairs[:-1]).sum(-1) / (lengths[1:] * lengths[:-1])).mean(0)


def energies(twin: Twin, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """‖e‖² and ‖p‖² of each token, (T) each, as they are added; p is 0 in a model without positions."""
    values = twin.values(sample)
    word = np.square(values[f"{side(twin)}.embedding"]).sum(-1)
    place = values.get(f"{side(twin)}.position")
    return word, np.zeros_like(word) if place is None else np.square(place).sum(-1)


def stream(twin: Twin, sample: Sample) -> np.ndarray:
    """Root mean square of the residual stream at the input of the first stack and after each layer, (layers + 1)."""
    values = twin.values(sample)
    layers = twin.model.config.encoder_layers or twin.model.config.decoder_layers
    names = [f"{side(twin)}.input", *(f"{side(twin)}.{layer}.feed_forward.residual" for layer in range(layers))]
    return np.array([np.sqrt(np.square(values[name].astype(float)).mean()) for name in names])


def padding(twin: Twin, sample: Sample, most: int = MOST_PADDING) -> np.ndarray:
    """Largest change of an output when 0, 1, … tokens of padding follow the sentence, as beside a longer one."""
    most = min(most, twin.model.config.max_length - len(sample.target if twin.same_ids else sample.source))
    source, target = torch.tensor([sample.source]), torch.tensor([sample.target])
    if twin.same_ids:
        source = target
    padded_twin = replace(twin, same_ids=False)  # the target that is written does not grow
    outputs = []
    count_of_words = len(sample.target) if padded_twin.model.config.decoder_layers else source.size(1)
    with torch.inference_mode():
        for count in range(most + 1):
            longer = nn.functional.pad(source, (0, count), value=PAD)
            outputs.append(padded_twin.logits(longer, target, padded_twin.tap())[:, :count_of_words])
    return np.array([float((outputs[0] - output).abs().max()) for output in outputs])


def hidden_keys(twin: Twin, sample: Sample, head: int = 0) -> np.ndarray:
    """Weights of the first query of the first encoder attention while fewer and fewer keys may be seen.

    (K + 1, K), from all keys down to none.
    """
    source = torch.tensor([sample.target if twin.same_ids else sample.source])
    count = source.size(1)
    rows = []
    for left in range(count, -1, -1):
        recorder = Recorder(twin.tap())
        with torch.inference_mode():
            twin.model.encode(source, torch.arange(count)[None] < left, recorder)
        rows.append(recorder.values["encoder.0.self_attention.weights"][head, 0])
    return np.stack(rows)


def normalised(twin: Twin, sample: Sample) -> np.ndarray:
    """Standard deviation (biased) of each token behind the model's first LayerNorm while γ is 1 and β 0, (T).

    A model that has no LayerNorm leaves its tokens as they are.
    """
    config, values = twin.model.config, twin.values(sample)
    stream = values[f"{side(twin)}.input"]
    if config.norm != "pre":
        stream = stream + values[f"{side(twin)}.0.self_attention.output"]
    entering = torch.from_numpy(stream)
    with torch.inference_mode():
        leaving = entering if config.norm == "none" else layer_norm(config)(entering)
    return leaving.double().std(-1, unbiased=False).numpy()


def fed(twin: Twin, sample: Sample) -> dict[str, tuple[int, ...]]:
    """The ids that each stack reads."""
    config = twin.model.config
    ids = {}
    if config.encoder_layers:
        ids["encoder"] = sample.target if twin.same_ids else sample.source
    if config.decoder_layers:
        ids["decoder"] = sample.target
    return ids


def type_error(twin: Twin, sample: Sample) -> tuple[str, tuple[int, ...]]:
    """Python's message when a sublayer's result is passed in its place, and the shape when the sublayer is."""
    layer = next(iter(twin.model.encoder or twin.model.decoder))
    residual, feed_forward = layer.get_submodule("residuals")[-1], layer.get_submodule("feed_forward")  # type: ignore[index]
    with torch.inference_mode():
        x = torch.from_numpy(twin.values(sample)[f"{side(twin)}.input"])[None].to(twin.model.device)  # (1, T, d)
        right = residual(x, feed_forward)
        try:
            residual(x, feed_forward(x))
        except TypeError as error:
            return f"TypeError: {error}", tuple(right.shape[1:])
    raise AssertionError("a tensor was called")
