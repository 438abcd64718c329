"""Attention weights as figures.

L layers, B batch, H heads, Q queries (rows), K keys (columns).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec

from ..data import Kind, Look, View
from ..figures.attention import AttentionFigure
from .inputs import in_memory, whole_text
from .panels import exact_heads, panels
from .texts import attention_words, rest_label, tag

P = ParamSpec("P")
MOST_TOKENS = 20_000  # JavaScript gives a function no more than 65,535 of them at once


def attention_lines(
    attention: Any,
    tokens: Sequence[str] | None = None,
    *,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    output_tokens: Sequence[str] | None = None,
    attention_mask: Any = None,
    decoder_attention_mask: Any = None,
    kind: Kind | None = None,
    layer: int | None = None,
    head: int = 0,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    item: int | None = None,
    special_tokens: Collection[str] | None = None,
    words: bool | str = False,
    norms: bool = False,
    title: str = "",
    language: str = "en",
) -> AttentionFigure:
    """Lines from each token to the tokens it looks at, one figure for each kind of attention.

    attention        numbers from 0 to 1, one of
                     - an array, tensor or nested list: (H, Q, K), (L, H, Q, K) or (L, B, H, Q, K)
                     - a tuple or list of L arrays or tensors: (H, Q, K) or (B, H, Q, K)
                     - the outputs of a model of transformers, called with `output_attentions=True`, or of its
                       `generate`, with `return_dict_in_generate=True` too: the decoder's tokens are then the sequence
                     - a dict of any of these by "encoder", "decoder", "cross"
    tokens           the tokens of the only stack, Q strings
    encoder_tokens   what the encoder read; the keys of cross-attention
    decoder_tokens   what the decoder read; the queries of cross-attention
    output_tokens    what the decoder wrote after each token it read: if given, it names the rows of cross-attention
    attention_mask   of a batch, as the tokenizer made it: padding, which has 0 in it, is left out. It is that of
                     `encoder_tokens` or of `tokens`; `decoder_attention_mask` is that of `decoder_tokens`
    kind             what a plain array is. Left out, both token lists mean "cross", one of them its side, and `tokens`
                     a decoder if the weights are causal, else an encoder. Of several kinds: the one that `svg` draws
    layer, head      where the figure starts, from 0; left out, at the first layer that has attention
    layers, heads    of a long input, which heads are exact beside that one, in all kinds or in `kind`: those with these
                     numbers, or with one of these layers, or heads, if the other is left out. The rest is shown as
                     means of blocks of tokens where all weights would make a file of more than 5 MB
    item             which one of a batch, from 0; needed if B is not 1
    special_tokens   which tokens can be hidden; left out, those spelled like <s> or [CLS]
    words            whether to join the tokens of a word, by their marks: a word gets the sum of the weights of its
                     tokens, and its row is the mean of their rows. "▁", "Ġ", "##", "@@" or "</w>" names the mark, where
                     too few tokens show it. Bytes of one character are joined in any case
    norms            whether these are shares of norms, as `weighted_by_values` makes them: the figure says so
    language         "en", "es" or "zh"

    Raises ValueError or TypeError; the message names the argument, and the axis that does not fit.

    >>> figure = attention_lines(np.eye(3)[None], ["a", "b", "c"])
    """
    return _figure("links", **locals())


def _takes_the_arguments_of(
    function: Callable[P, AttentionFigure],
) -> Callable[[Callable[..., AttentionFigure]], Callable[P, AttentionFigure]]:
    """For type checkers, `help` and what a notebook completes."""
    return wraps(function, assigned=())  # type: ignore[return-value]


@_takes_the_arguments_of(attention_lines)
def head_wall(*args: Any, **given: Any) -> AttentionFigure:
    """All heads of all layers as small maps, and the chosen one large; all kinds of attention in one figure.

    The arguments and errors are those of `attention_lines`. Of several kinds, `kind` is the one shown large first.

    >>> weights = np.full((6, 8, 3, 3), 1 / 3)  # (layers, heads, queries, keys)
    >>> head_wall(weights, ["a", "b", "c"]).save("heads.html")
    """
    call = signature(attention_lines).bind(*args, **given)
    call.apply_defaults()
    return _figure("matrix", **call.arguments)


def _figure(
    view: View,
    attention: Any,
    tokens: Sequence[str] | None,
    words: bool | str,
    norms: bool,
    layers: Sequence[int] | None,
    heads: Sequence[int] | None,
    kind: Kind | None,
    layer: int | None,
    head: int,
    title: str,
    language: str,
    **given: Any,
) -> AttentionFigure:
    with in_memory():
        read = panels(attention, tokens, kind=kind, words=words, rest_label=rest_label(language), **given)
    if (most := max(max(panel.weights.shape[-2:]) for panel in read.panels)) > MOST_TOKENS:
        raise ValueError(
            f"attention: a figure has room for {MOST_TOKENS:,} tokens on a side, not for {most:,}: give a part of them."
        )
    kind = "decoder" if read.merged and kind == "cross" else kind
    first = next((panel for panel in read.panels if panel.kind == kind), read.panels[0])
    if layer is None:
        layer = int(first.weights.any(axis=(1, 2, 3)).argmax())
    texts = attention_words(
        language, written=any(panel.read for panel in read.panels), whole=bool(words), norms=norms,
        merged=read.merged, rest=read.rest, gaps=read.gaps,
    )  # fmt: skip
    return AttentionFigure(
        read.panels, Look(view, kind or first.kind, layer, head), words=texts, each=view == "links",
        title=whole_text(title), language=tag(language), exact=exact_heads(read.panels, kind, layers, heads),
        column="norm_share" if norms else "weight",
    )  # fmt: skip
