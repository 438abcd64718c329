"""The sizes and choices that the systems differ in, and which of them cannot stand together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from model.errors import InvalidInput

# a config from a stranger must not ask for a table of any size, nor for layers without end
LONGEST = 8192  # positions
DEEPEST = 1024  # layers of a side, and heads of a layer
WIDEST = 2**20  # numbers of a vector
LARGEST = 2**24  # tokens of a vocabulary
MOST_LABELS = 10_000
SEGMENTS = 64  # rows of a table of segments
TABLES = ("sinusoidal", "learned")  # positions that are added to the embedding
BIASES = ("relative", "alibi")  # and that are added to the scores
BUCKETS, FARTHEST = 32, 128  # T5's own
_SEQUENCES = ("frequencies", "labels", "unrotated", "windows")  # fields that are a list in JSON
Architecture = Literal["encoder-decoder", "encoder", "decoder"]
# what the logits of labels mean: a softmax over the labels; a sigmoid for each; a number as it is; where an answer
# starts and where it ends, a softmax over the tokens for each
LabelKind = Literal["one", "several", "score", "span"]
SPAN = ("start", "end")
_NAMED = 40  # characters of a name that a file made up


@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Sizes and choices of one Transformer. Raises `InvalidInput` where two of them cannot stand together.

    An encoder alone has no target side, a decoder alone no source side: their vocabulary and layers
    are 0 there. An encoder whose target vocabulary is 0 has no output layer and returns vectors.
    """

    architecture: Architecture = "encoder-decoder"
    source_vocabulary: int = 0
    target_vocabulary: int = 0
    d_model: int = 512
    embedding_size: int = 0  # numbers of an embedding, widened to d_model by a product (ALBERT); 0 means d_model
    heads: int = 8
    encoder_layers: int = 6
    decoder_layers: int = 6
    shared_layers: bool = False  # all layers of the encoder have the same weights (ALBERT)
    head_size: int = 0  # numbers per head; 0 means d_model / heads
    key_value_heads: int = 0  # keys and values, shared by equally many heads each; 0 means one for each head
    d_ff: int = 2048
    norm: Literal["pre", "post", "none"] = "post"
    norm_kind: Literal["torch", "textbook", "rms"] = "torch"
    norm_eps: float = 1e-5  # the textbook's kind has 1e-6
    final_norm: bool = False  # one more LayerNorm after each stack
    embedding_norm: bool = False  # one more LayerNorm after embedding and position
    parallel: bool = False  # feed-forward reads what self-attention reads, and both are added (GPT-NeoX)
    activation: Literal["relu", "gelu", "gelu-tanh", "silu"] = "relu"
    gated: bool = False  # a second product of the feed-forward scales the first
    projection_bias: bool = True  # q, k, v and output of each attention
    query_key_norm: bool = False  # RMSNorm of each query and key (Qwen3)
    feed_forward_bias: bool = True
    output_bias: bool = False
    output_transform: bool = False  # BERT's layer before the output
    output_activation: Literal["gelu", "gelu-tanh", "relu", "silu", "tanh"] = "gelu"  # of that layer
    position: Literal["sinusoidal", "learned", "relative", "rotary", "alibi", "none"] = "sinusoidal"
    position_buckets: int = BUCKETS  # of relative positions: groups of distances
    position_farthest: int = FARTHEST  # and the distance in tokens from which on all share one
    position_base: float = 10_000.0  # of the frequencies of sinusoidal and rotary positions
    frequencies: tuple[float, ...] = ()  # of rotary positions, rad per token for each pair, where no base gives them
    unrotated: tuple[int, ...] = ()  # decoder layers without rotary positions (SmolLM3)
    position_start: int = 0  # position of the first token in the sinusoidal table (M2M100: 2)
    labels: tuple[str, ...] = ()  # what the head of an encoder tells apart, beside its vectors
    label_each: bool = False  # whether each token has a label; else the first token's vector stands for the sentence
    label_kind: LabelKind = "one"
    label_activation: Literal["none", "tanh", "relu", "gelu"] = "none"  # of a layer before the labels
    segments: int = 0  # rows of a table that is added for the first and the second of two texts (BERT); 0: no table
    separator: int = 0  # the id that ends the first of two texts; 0: a text is never two
    scale_embedding: bool = True  # by √d_model (section 3.4)
    init: Literal["scaled", "xavier", "normal", "small"] = "scaled"  # see `initialise`
    # target with output, or source too (section 3.4), or only source with target
    tied_embeddings: Literal["none", "target", "all", "sides"] = "none"
    mask_fill: Literal["-inf", "-1e9"] = "-inf"  # what a forbidden score becomes
    causal_encoder: bool = False
    windows: tuple[int, ...] = ()  # tokens that each decoder layer sees, the query's own among them; 0: all before it
    first_output_token: int = 0  # the id with which every output is made to begin (BART, mBART); 0 means any may
    inputs: Literal["tokens", "numbers"] = "tokens"
    dropout: float = 0.1
    max_length: int = 512

    @property
    def d_k(self) -> int:
        """Numbers in a query, a key and a value of one head."""
        return self.head_size or self.d_model // self.heads

    @property
    def embedding_width(self) -> int:
        """Numbers of an embedding and its position."""
        return self.embedding_size or self.d_model

    @property
    def kv_heads(self) -> int:
        """How many keys and values a token has in each attention."""
        return self.key_value_heads or self.heads

    def layers(self, side: str) -> int:
        """How many layers the encoder or the decoder has."""
        return self.encoder_layers if side == "encoder" else self.decoder_layers

    def window(self, layer: int) -> int:
        """How many tokens self-attention of a decoder layer sees at most; 0 means all."""
        return self.windows[layer] if self.windows else 0

    @property
    def forced(self) -> tuple[int, ...]:
        """The ids with which every output begins, after `<bos>`."""
        return (self.first_output_token,) if self.first_output_token else ()

    def __post_init__(self) -> None:
        for field in _SEQUENCES:
            if isinstance(getattr(self, field), list):  # as JSON has it
                object.__setattr__(self, field, tuple(getattr(self, field)))
        _check_choices(self)
        _check_sizes(self)
        _check_fractions(self)
        _check_sequences(self)
        _check_architecture(self)
        _check_embeddings(self)


def read_config(values: dict[str, Any]) -> TransformerConfig:
    """A config from its JSON fields; each has a default. Raises `InvalidInput` for unknown or invalid fields."""
    known = {field.name for field in fields(TransformerConfig)}
    for name in values:
        if name not in known:
            raise InvalidInput("config_unknown", field=name[:_NAMED])
    return TransformerConfig(**values)


def _check_choices(config: TransformerConfig) -> None:
    for field, hint in get_type_hints(TransformerConfig).items():
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        if hint is bool and not isinstance(getattr(config, field), bool):
            raise InvalidInput("config_choice", field=field, value=getattr(config, field), choices="true, false")
        if choices and getattr(config, field) not in choices:
            raise InvalidInput("config_choice", field=field, value=getattr(config, field), choices=", ".join(choices))


def _check_sequence(config: TransformerConfig, field: str, lengths: Sequence[int], most: float) -> None:
    """So many numbers from 0 to `most`, whole ones unless they are frequencies."""
    values, count = getattr(config, field), max(lengths)
    sound = isinstance(values, tuple) and len(values) in lengths
    for each in values if sound else ():
        whole = isinstance(each, int) and not isinstance(each, bool)
        sound = sound and (whole or (field == "frequencies" and isinstance(each, float))) and 0 <= each <= most
    if not sound:
        raise InvalidInput("config_list", field=field, value=values, count=count, most=most)


def _check_sequences(config: TransformerConfig) -> None:
    layers, pairs = config.decoder_layers, config.d_k // 2
    sound = isinstance(config.labels, tuple) and all(isinstance(label, str) for label in config.labels)
    if not sound or len(config.labels) > MOST_LABELS or (config.labels and config.architecture != "encoder"):
        raise InvalidInput("config_labels", value=config.labels, limit=MOST_LABELS)
    if config.label_kind == "span" and (config.labels != SPAN or not config.label_each):
        fix = f"labels {list(SPAN)} and label_each true"
        raise InvalidInput("config_conflict", first="label_kind", second="labels", fix=fix)
    _check_sequence(config, "windows", (0, layers), LONGEST)
    _check_sequence(config, "unrotated", range(layers + 1), layers - 1)
    _check_sequence(config, "frequencies", (0, pairs), math.pi)
    if config.position != "rotary" and (config.frequencies or config.unrotated):
        field = "frequencies" if config.frequencies else "unrotated"
        raise InvalidInput("config_conflict", first=field, second="position", fix="position rotary")
    if config.parallel and (config.norm != "pre" or config.architecture != "decoder"):
        raise InvalidInput("config_conflict", first="parallel", second="norm", fix="norm pre and architecture decoder")


def _bounds(config: TransformerConfig) -> dict[str, tuple[int, int]]:
    """The least and the largest value of every field that is a count or an id."""
    vocabulary = config.target_vocabulary if isinstance(config.target_vocabulary, int) else 0
    source = config.source_vocabulary if isinstance(config.source_vocabulary, int) else 0
    return {
        "source_vocabulary": (0, LARGEST),
        "target_vocabulary": (0, LARGEST),
        "d_model": (1, WIDEST),
        "heads": (1, DEEPEST),
        "encoder_layers": (0, DEEPEST),
        "decoder_layers": (0, DEEPEST),
        "head_size": (0, WIDEST),
        "embedding_size": (0, WIDEST),
        "key_value_heads": (0, DEEPEST),
        "d_ff": (1, WIDEST),
        "max_length": (1, LONGEST),
        "position_start": (0, LONGEST),
        "position_buckets": (4, LONGEST),
        "position_farthest": (2, LARGEST),
        "segments": (0, SEGMENTS),
        "separator": (0, max(0, source - 1)),
        "first_output_token": (0, max(0, vocabulary - 1)),
    }


def _check_fractions(config: TransformerConfig) -> None:
    """Numbers that need not be whole, also where a file has something else in their place."""
    if not (_is_number(config.norm_eps) and 0 < config.norm_eps < 1):
        raise InvalidInput("config_eps", value=config.norm_eps)
    if not (_is_number(config.dropout) and 0 <= config.dropout < 1):
        raise InvalidInput("config_dropout", value=config.dropout)
    if not (_is_number(config.position_base) and 1 < config.position_base <= 1e12):
        raise InvalidInput("config_base", value=config.position_base)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _check_sizes(config: TransformerConfig) -> None:
    for field, (least, largest) in _bounds(config).items():
        value = getattr(config, field)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InvalidInput("config_number", field=field, value=value, minimum=least)
        if value > largest:
            raise InvalidInput("config_large", field=field, value=value, limit=largest)
    if config.position == "sinusoidal" and config.embedding_width % 2:
        raise InvalidInput("config_odd", d_model=config.d_model)
    if not config.head_size and config.d_model % config.heads:
        raise InvalidInput("config_heads", d_model=config.d_model, heads=config.heads)
    if config.heads % config.kv_heads:
        raise InvalidInput("config_shared", heads=config.heads, shared=config.kv_heads)
    if config.position_farthest <= config.position_buckets // 2:  # the near half has a bucket for each distance
        raise InvalidInput("config_buckets", buckets=config.position_buckets, farthest=config.position_farthest)
    if config.position == "rotary" and config.d_k % 2:
        raise InvalidInput("config_pairs", size=config.d_k)
    if config.final_norm and config.norm == "none":
        raise InvalidInput(
            "config_conflict", first="final_norm", second="norm", fix="norm pre or post, or final_norm false"
        )


def _check_architecture(config: TransformerConfig) -> None:
    sides = {"encoder": config.architecture != "decoder", "decoder": config.architecture != "encoder"}
    for side, is_there in sides.items():
        layers = f"{side}_layers"
        if is_there != bool(getattr(config, layers)):
            fix = f"{layers} of at least 1" if is_there else f"{layers} 0"
            raise InvalidInput("config_conflict", first="architecture", second=layers, fix=fix)
    tokens = config.inputs == "tokens"
    if sides["encoder"] and tokens != bool(config.source_vocabulary):
        fix = "source_vocabulary of at least 1" if tokens else "source_vocabulary 0"
        raise InvalidInput("config_conflict", first="inputs", second="source_vocabulary", fix=fix)
    if not sides["encoder"] and config.source_vocabulary:
        raise InvalidInput(
            "config_conflict", first="architecture", second="source_vocabulary", fix="source_vocabulary 0"
        )
    if sides["decoder"] and not config.target_vocabulary:
        fix = "target_vocabulary of at least 1"
        raise InvalidInput("config_conflict", first="architecture", second="target_vocabulary", fix=fix)
    if not tokens and config.architecture != "encoder":
        raise InvalidInput("config_conflict", first="inputs", second="architecture", fix="architecture encoder")
    for field in ("shared_layers", "embedding_size", "segments", "separator"):
        if getattr(config, field) and config.architecture != "encoder":
            raise InvalidInput("config_conflict", first=field, second="architecture", fix="architecture encoder")
    if config.embedding_size and config.target_vocabulary and not config.output_transform:
        fix = "output_transform true, or target_vocabulary 0"
        raise InvalidInput("config_conflict", first="embedding_size", second="output_transform", fix=fix)
    if config.segments and not tokens:
        raise InvalidInput("config_conflict", first="segments", second="inputs", fix="inputs tokens")
    if config.separator and config.segments < 2:
        fix = "segments of at least 2, or separator 0"
        raise InvalidInput("config_conflict", first="separator", second="segments", fix=fix)
    if config.causal_encoder and config.architecture != "encoder":
        raise InvalidInput("config_conflict", first="causal_encoder", second="architecture", fix="architecture encoder")
    if config.output_transform and not config.target_vocabulary:
        fix = "target_vocabulary of at least 1, or output_transform false"
        raise InvalidInput("config_conflict", first="output_transform", second="target_vocabulary", fix=fix)


def _check_embeddings(config: TransformerConfig) -> None:
    tied = config.tied_embeddings
    both = config.architecture == "encoder-decoder"
    if tied in ("all", "sides") and both and config.source_vocabulary != config.target_vocabulary:
        raise InvalidInput("config_tied", source=config.source_vocabulary, target=config.target_vocabulary)
    if tied == "sides" and not both:
        fix = "tied_embeddings none, target or all"
        raise InvalidInput("config_conflict", first="tied_embeddings", second="architecture", fix=fix)
    if tied != "none" and config.architecture == "encoder" and config.source_vocabulary != config.target_vocabulary:
        raise InvalidInput("config_tied", source=config.source_vocabulary, target=config.target_vocabulary)
