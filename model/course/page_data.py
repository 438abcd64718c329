"""The course about one sentence as plain data, for a page without Python: questions, and what the figures show.

T tokens of the output, S tokens of the source, N depths.
"""

from typing import Any

import numpy as np

from model.analysis import logit_lens
from model.checkpoint import catalogue, history
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.course import cross, head, heads, layers, learning, lookup, mask, position, tokens, vectors, writing
from model.course.generated import generated
from model.course.question import Question
from model.decode.decoding_loop import Decoded
from model.decode.start import decoding_start
from model.decode.translate import Translation, translate

NEIGHBOURS = 6
DIGITS = 4  # decimals of the numbers of figures


def course(checkpoint: Checkpoint, entry: Entry, sentence: str) -> dict[str, Any]:
    """What the course shows and asks about a sentence that a model with both sides translates.

    values      what fills the texts of the steps
    output      (T) the tokens written; `worded` are the places of those that stand for text, `longest` is one of them
    head        layer and head of the cross-attention to look at first
    steps       by name { question, figure }; a question has `options`, `right`, `values` and `why`
    """
    run = translate(checkpoint, sentence)
    output = run.trace.output_tokens
    return {
        "sentence": sentence,
        "values": _values(entry, output),
        "output": output,
        "worded": tokens.worded(output),
        "longest": tokens.longest(output),
        "head": head.of_card(entry.card, entry.config),
        "steps": {
            "lookup": _lookup(entry, run),
            "vectors": _vectors(checkpoint, entry, output),
            "position": _position(checkpoint, entry),
            "head": {"question": _plain(head.question(run.trace, *head.of_card(entry.card, entry.config)))},
            "heads": {"question": _plain(heads.question(run.trace))},
            "mask": _mask(run),
            "layers": _layers(checkpoint, entry, run),
            "cross": _cross(checkpoint, run),
            "writing": {"question": _plain(_writing(checkpoint, run))},
            "learning": _learning(entry),
        },
    }


def _values(entry: Entry, output: tuple[str, ...]) -> dict[str, object]:
    config = entry.config
    layer, number = head.of_card(entry.card, entry.config)
    return {
        "layer": layer,
        "head": number,
        "heads": config.heads,
        "layers": config.decoder_layers,
        "d_model": config.d_model,
        "d_k": config.d_model // config.heads,
        "target": f"{config.target_vocabulary:,}",
        "word": output[tokens.longest(output)],
    }


def _plain(question: Question) -> dict[str, Any]:
    values = {name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in question.values.items()}
    return {"options": question.options, "right": question.right, "values": values, "why": question.why}


def _rounded(values: np.ndarray) -> list[Any]:
    return np.round(values.astype(float), DIGITS).tolist()


def _lookup(entry: Entry, run: Translation) -> dict[str, Any]:
    """With the scores (T, S) of one head."""
    place = head.of_card(entry.card, entry.config)
    figure = {"keys": tokens.numbered(run.trace.source_tokens), "scores": _rounded(lookup.scores(run.trace, *place))}
    return {"question": _plain(lookup.question(run.trace, *place)), "figure": figure}


def _vectors(checkpoint: Checkpoint, entry: Entry, output: tuple[str, ...]) -> dict[str, Any]:
    """With the nearest neighbours of each token of the output, (T) lists of a token and its cosine."""
    table = checkpoint.model.target_embedding.weight.detach().cpu().numpy()
    names = checkpoint.tokenizer.tokens(range(checkpoint.tokenizer.size))
    near = [vectors.ranked(table, names, names.index(token))[:NEIGHBOURS] for token in output]
    question = vectors.question(table, names, output, vectors.written_words(entry.card))
    figure = {"near": [[[names[one.id], round(one.cosine, DIGITS)] for one in each] for each in near]}
    return {"question": _plain(question), "figure": figure}


def _position(checkpoint: Checkpoint, entry: Entry) -> dict[str, Any]:
    """With the outputs of two orders before and after, and the position vectors (S, d_model)."""
    first = position.EXAMPLES.get(entry.card.get("source_language", ""), entry.card["examples"][0])
    orders = (first, position.other_order(checkpoint.tokenizer, first))
    runs = [translate(checkpoint, order) for order in orders]
    before, after = ([generated(checkpoint, run, change) for run in runs] for change in ("", position.WITHOUT))
    figure = {
        "orders": orders,
        "before": [each.text for each in before],
        "after": [each.text for each in after],
        "tokens": runs[0].trace.source_tokens,
        "vectors": _rounded(_positions(runs[0])),
    }
    return {"question": _plain(position.question(orders, before, after)), "figure": figure}


def _positions(run: Translation) -> np.ndarray:
    """What is added to each token of the source (S, d_model): 0 in a model that adds nothing."""
    values = run.trace.values
    return values["encoder.position"] if "encoder.position" in values else np.zeros_like(values["encoder.embedding"])


def _mask(run: Translation) -> dict[str, Any]:
    """With the tokens that the decoder read and the scores (T, T) of one head before the mask."""
    number = mask.head(run.trace)
    scores = _rounded(mask.scores(run.trace)[number])
    figure = {"tokens": run.trace.target_tokens, "head": number, "scores": scores}
    return {"question": _plain(mask.question(run.trace)), "figure": figure}


def _cross(checkpoint: Checkpoint, run: Translation) -> dict[str, Any]:
    """With the shape of each recorded value, and the output before and after the way from the encoder is cut."""
    figure = {
        "shapes": {name: value.shape for name, value in run.trace.values.items()},
        "before": run.text,
        "after": generated(checkpoint, run, cross.WITHOUT).text,
    }
    return {"question": _plain(cross.question(run.trace)), "figure": figure}


def _layers(checkpoint: Checkpoint, entry: Entry, run: Translation) -> dict[str, Any]:
    """With the likeliest tokens (N, T, 5) and their probabilities; places are named as recorded."""
    lens = logit_lens.early(checkpoint.model, run.trace.values, "decoder")
    top = lens.top[:, :, : writing.SHOWN]
    figure = {
        "places": lens.depths,
        "top": [[checkpoint.tokenizer.tokens(ids.tolist()) for ids in place] for place in top],
        "shares": lens.top_probabilities[:, :, : writing.SHOWN].astype(float).tolist(),
    }
    question = layers.question(lens, run.trace.output_tokens, lens.depths, entry.config.decoder_layers)
    return {"question": _plain(question), "figure": figure}


def _writing(checkpoint: Checkpoint, run: Translation) -> Question:
    start, own = decoding_start(checkpoint, run.sentence), Decoded(run.ids, run.stop)
    return writing.question(
        run.trace, checkpoint.tokenizer.tokens, lambda token: writing.continued(checkpoint, start, own, 0, token)
    )


def with_moments(entry: Entry) -> Entry | None:
    """The model itself if it kept moments of its training, else the first translator that did; None without any."""
    return next((each for each in (entry, *catalogue.sentence_models().values()) if _kept(each)), None)


def _kept(entry: Entry) -> bool:
    return entry.config.architecture == "encoder-decoder" and bool(history.load(entry))


def _learning(entry: Entry) -> dict[str, Any]:
    """With the output and one head's cross-attention at each saved step of the training."""
    trained = with_moments(entry)
    if trained is None:
        raise ValueError(f"No training of {entry.name}, or of another model, has been kept.")
    snapshots = history.load(trained)
    layer, number = head.of_card(trained.card, trained.config)
    probes = [snapshot.probe for snapshot in snapshots]
    moments = [
        {
            "output": probe.output,
            "rows": probe.output_tokens,
            "columns": probe.source_tokens,
            "weights": _rounded(probe.weights["cross"][layer, number]),
        }
        for probe in probes
    ]
    figure = {
        "sentence": probes[0].sentence,
        "head": (layer, number),
        "steps": [f"{snapshot.step:,}" for snapshot in snapshots],
        "moments": moments,
    }
    return {"question": _plain(learning.question(snapshots)), "figure": figure}
