"""A dictionary of features of a checkpoint: trained, scored and named, or only named anew."""

from dataclasses import replace
from pathlib import Path

from model.features import make_dictionary, sites, store
from model.features.store import Stored
from model.features.training import Settings
from model.measurements.asked import CHECKPOINT, Asked, option, percent
from model.measurements.measurement import Measurement


def _measure(asked: Asked) -> Stored:
    options, checkpoint, entry, lines = asked.options, asked.checkpoint, asked.entry, asked.lines or ()
    if options.again:
        site = sites.find(checkpoint.model.config, options.site).name
        return make_dictionary.again(checkpoint, entry, store.load(entry, site), lines)
    settings = Settings(features=options.features, active=options.active, seed=options.seed)
    if options.steps is not None:
        settings = replace(settings, steps=options.steps)
    with percent() as report:
        return make_dictionary.make(
            checkpoint, entry, options.site, settings, lines, lambda stage, share: report(round(100 * share), stage)
        )


MEASUREMENT = Measurement[None](
    name="features",
    about="a dictionary of what a model's vectors say, trained and scored, as JSON",
    measure=_measure,
    options=(
        CHECKPOINT,
        option("--site", default="", help="a recorded name, or encoder.0.feed_forward (default: the first)"),
        option("--features", type=int, default=0, metavar="N", help="default: eight for each number"),
        option("--active", type=int, default=8, metavar="K", help="features of one vector (default: 8)"),
        option("--steps", type=int, help="of the training (default: 4000)"),
        option("--seed", type=int, default=0),
        option("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of the corpus"),
        option("--again", action="store_true", help="names and suggestions of the stored one, nothing else"),
    ),
    save=option("--save", action="store_true", help="store it beside the checkpoint"),
    file=f"{store.PREFIX}*.json",
    printed=lambda stored: stored.card,
    write=lambda entry, stored: store.save(entry.folder, stored),
)
