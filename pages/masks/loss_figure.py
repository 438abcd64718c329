"""Tokens counted in the loss: the decoder's input above the tokens that it should write, and −log p of each place."""

from __future__ import annotations

import numpy as np

from model.checkpoint import catalogue
from model.decode import translate
from model.errors import InvalidInput
from model.masking import position_loss
from pages.masks.batch import LONGEST, Batch
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.session import view
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls, show
from pages.shared.ui.matrices import matrices
from viz.data import Matrix
from viz.html.masks import Counted as Column
from viz.html.masks import loss_table


def loss(batch: Batch) -> None:
    """The control for the target, the two rows of the sentence looked at, all of the batch, and the means."""
    if batch.sides == ["encoder"]:
        show.text(words("masks_loss.encoder"))
        return
    targets = _targets(batch)
    batch_loss = _counted(batch.entry, batch.sentences, targets)
    _rows(batch, batch_loss)
    figures = [_matrix(batch, batch_loss)]
    matrices("masks_loss", figures, files="masks-loss")
    show.text(_result(batch_loss))
    page.formula("loss_given_source" if "encoder" in batch.sides else "loss")


def _targets(batch: Batch) -> tuple[tuple[int, ...], ...]:
    """Target of each sentence, `<bos>` to `<eos>`; that of the one looked at can be typed."""
    if batch.sides == ["decoder"]:  # it learns to go on with the sentences themselves
        return tuple(tuple(models.tokenizer(batch.entry).encode(text)) for text in batch.sentences)
    own = [(run.target[0], *run.ids) for run in batch.runs]
    _let_go(batch.run.sentence)
    text = controls.text("target", words("masks_loss.target"), batch.run.text, LONGEST)
    if text != batch.run.text[:LONGEST]:
        own[batch.row] = _typed(batch, text) or own[batch.row]
    return tuple(own)


def _let_go(sentence: str) -> None:
    """Forget a target that was typed for another sentence; one that a link or Back brings along is kept."""
    left = view.kept("target_of") != sentence and view.kept("target") == view.setting("target")
    if left:
        view.forget("target")
    view.keep(target=view.setting("target"), target_of=sentence)


def _typed(batch: Batch, text: str) -> tuple[int, ...]:
    """The user's own target; none with a word about it where it cannot be read."""
    try:
        return tuple(translate.encode(models.checkpoint(batch.entry), text))
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return ()


@models.cached
def _counted(
    entry: catalogue.Entry, sentences: tuple[str, ...], targets: tuple[tuple[int, ...], ...]
) -> position_loss.Counted:
    decoder_alone = not entry.config.encoder_layers
    sources = [() if decoder_alone else models.run(entry, sentence).source for sentence in sentences]
    return position_loss.counted(models.checkpoint(entry).model, sources, targets)


def _rows(batch: Batch, batch_loss: position_loss.Counted) -> None:
    """The sentence looked at, place by place."""
    tokens, row = models.tokenizer(batch.entry).tokens, batch.row
    places = zip(
        tokens(batch_loss.read[row].tolist()),
        tokens(batch_loss.expected[row].tolist()),
        batch_loss.losses[row].tolist(),
        batch_loss.is_counted[row].tolist(),
        strict=True,
    )
    show.table(loss_table([Column(*place) for place in places], section("masks_loss")))


def _matrix(batch: Batch, batch_loss: position_loss.Counted) -> Matrix:
    """−log p of every place of the batch; what is not counted has no number."""
    values = np.where(batch_loss.is_counted, batch_loss.losses, np.nan)
    names = tuple(f"{number}  {sentence}" for number, sentence in zip(batch.numbers, batch.sentences, strict=True))
    places = tuple(map(str, range(values.shape[1])))
    axes = (words("masks_loss.sentences"), words("masks_loss.places"))
    return Matrix(
        "loss", words("masks_loss.matrix"), values, names, places, *axes, scale="positive", colour="decoder",
        blank=words("masks_loss.ignored"),
    )  # fmt: skip


def _result(batch_loss: position_loss.Counted) -> str:
    """How many places are counted, their sum and mean, and the mean of all."""
    return words(
        "masks_loss.result",
        count=int(batch_loss.is_counted.sum()),
        total=batch_loss.is_counted.size,
        sum=f"{batch_loss.losses[batch_loss.is_counted].sum():.3f}",
        mean=f"{batch_loss.mean:.4f}",
        all=f"{batch_loss.mean_of_all:.4f}",
    )
