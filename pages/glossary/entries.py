"""The terms by topic, each with its formula or shape and where it can be seen. Their texts stand in `content/`."""

from typing import NamedTuple


class Term(NamedTuple):
    """The page where a term is shown, the settings there, and a formula or shape, "" for none."""

    page: str
    settings: dict[str, str] = {}  # noqa: RUF012
    formula: str = ""


_STAGES = {"view": "stages"}
TOPICS: dict[str, dict[str, Term]] = {
    "text": {
        "token": Term("embedding"),
        "vocabulary": Term("embedding", {"show": "near"}),
        "tokenizer": Term("embedding"),
        "subword": Term("embedding"),
        "id": Term("embedding"),
        "bos": Term("decoding"),
        "eos": Term("decoding"),
        "pad": Term("masks", {"show": "padding"}),
        "unk": Term("embedding", {"show": "odd"}),
    },
    "vectors": {
        "embedding": Term("embedding", {}, "(V, d_model)"),
        "embedding-scale": Term("energy", {}, "x = √d_model · E[id] + PE[pos]"),
        "positional-encoding": Term("position", {}, "PE[pos, 2i] = sin(pos / 10000^(2i / d_model)), cos for 2i + 1"),
        "wavelength": Term("position", {"show": "waves"}, "2π · 10000^(2i / d_model)"),
        "rotary-positions": Term("llm", {"about": "rotary"}),
        "d_model": Term("embedding"),
    },
    "attention": {
        "attention": Term("primer", {}, "softmax(q kᵀ / √d_k) v"),
        "query": Term("attention", _STAGES | {"stage": "query"}, "q = x W_Q    (T, d_k)"),
        "key": Term("attention", _STAGES | {"stage": "key"}, "k = x W_K    k = m W_K    (T, d_k)"),
        "value": Term("attention", _STAGES | {"stage": "value"}, "v = x W_V    v = m W_V    (T, d_k)"),
        "attention-score": Term("attention", _STAGES | {"stage": "scaled"}, "s = q kᵀ / √d_k    (T, T)"),
        "scaling": Term("attention", _STAGES | {"stage": "scaled"}, "s = q · k / √d_k"),
        "softmax": Term("attention", _STAGES | {"stage": "softmax"}, "exp(sᵢ) / Σⱼ exp(sⱼ)"),
        "attention-weight": Term("attention", {"view": "cell"}, "a = softmax(s)    (T, T)"),
        "entropy": Term("attention", {"view": "measures", "measure": "entropy"}, "−Σ p log₂ p"),
        "head": Term("attention"),
        "multi-head-attention": Term("attention", _STAGES | {"stage": "concat"}, "concat(head₀, head₁, …) W_O"),
        "d_k": Term("attention", _STAGES | {"stage": "query"}, "d_k = d_model / number of heads"),
        "self-attention": Term("attention"),
        "cross-attention": Term("attention", {"attention_kind": "cross"}),
        "grouped-query-attention": Term("llm", {"about": "grouped"}),
    },
    "masks": {
        "mask": Term("masks", {"show": "scores"}),
        "causal-mask": Term("masks", {"show": "leak"}),
        "padding-mask": Term("masks", {"show": "padding"}),
    },
    "model": {
        "encoder": Term("start"),
        "decoder": Term("decoding"),
        "layer": Term("layers"),
        "sublayer": Term("layers", {"show": "stream"}),
        "residual-connection": Term("layers", {"show": "residual"}, "x + f(x)"),
        "residual-stream": Term("layers", {"show": "stream"}, "(T, d_model)"),
        "layernorm": Term("layers", {"show": "norm"}, "γ (x − μ) / √(σ² + ε) + β"),
        "pre-norm": Term("layers", {"show": "residual"}, "x + f(LN(x))    LN(x + f(x))"),
        "rms-norm": Term("llm", {"about": "rms_norm"}, "γ x / √(mean(x²) + ε)"),
        "feed-forward": Term("layers", {"show": "feed_forward"}, "W₂ · ReLU(W₁ x + b₁) + b₂"),
        "d_ff": Term("layers", {"show": "feed_forward"}),
        "relu": Term("layers", {"show": "feed_forward"}, "ReLU(x) = max(0, x)    GELU(x) = x · Φ(x)"),
        "gated-feed-forward": Term("llm", {"about": "gated"}, "W₂ (SiLU(W_g x) ⊙ W₁ x)"),
        "parameter": Term("checkpoints", {"show": "parts"}),
        "weight-tying": Term("checkpoints", {"show": "parts"}),
        "checkpoint": Term("checkpoints"),
        "large-language-model": Term("llm"),
    },
    "writing": {
        "logit": Term("decoding", {}, "x Eᵀ    (T, V)"),
        "probability": Term("decoding", {}, "p = softmax(logits)"),
        "log-probability": Term("why", {}, "log p"),
        "greedy": Term("decoding"),
        "sampling": Term("decoding", {"view": "sampling"}),
        "temperature": Term("decoding", {"view": "sampling"}, "p = softmax(logits / T)"),
        "top-k": Term("decoding", {"view": "sampling"}),
        "top-p": Term("decoding", {"view": "sampling"}),
        "beam-search": Term("decoding", {"view": "beam"}),
        "kv-cache": Term("decoding", {"view": "cache"}),
    },
    "training": {
        "teacher-forcing": Term("masks", {"show": "loss"}),
        "exposure-bias": Term("decoding", {"view": "given"}),
        "cross-entropy": Term("masks", {"show": "loss"}, "−log p(correct token)"),
        "label-smoothing": Term("train"),
        "gradient": Term("train"),
        "learning-rate": Term("train"),
        "warm-up": Term("train"),
        "dropout": Term("train"),
        "weight-decay": Term("train", {"task": "modular"}, "w ← w − η λ w"),
        "grokking": Term("embedding", {"checkpoint": "modular", "show": "frequencies"}),
        "epoch": Term("train"),
        "pre-training": Term("checkpoints"),
        "held-out": Term("checkpoints", {"show": "data"}),
        "exact-match": Term("checkpoints", {"show": "scores"}),
        "bleu": Term("checkpoints", {"show": "scores"}),
        "overfitting": Term("train"),
    },
    "inside": {
        "logit-lens": Term("layers", {"show": "early"}),
        "tuned-lens": Term("layers", {"show": "early", "lens": "tuned"}),
        "decoder-lens": Term("layers", {"show": "early", "lens": "decoder"}),
        "ablation": Term("intervene", {"show": "effect"}),
        "activation-patching": Term("intervene", {"show": "patching"}),
        "induction-head": Term("circuits", {"checkpoint": "induction", "role": "induction"}),
        "in-context-learning": Term("circuits", {"checkpoint": "induction", "role": "induction"}),
        "attention-sink": Term("attention", {"view": "measures", "measure": "first"}),
        "feature": Term("features", {"show": "sentence"}),
    },
}
TERMS = {name: term for terms in TOPICS.values() for name, term in terms.items()}
