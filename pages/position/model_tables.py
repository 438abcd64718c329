"""The position tables of the model in use: whether they agree with the table in view, learned ones, and their cost."""

import numpy as np

from model.analysis import sinusoids
from model.checkpoint import catalogue
from model.config import TransformerConfig
from pages.position.sine_settings import Sines
from pages.shared.models import current, models
from pages.shared.models.sentence import CurrentRun
from pages.shared.text import where_positions_act
from pages.shared.text.words import words
from viz.numbers import power_of_ten

LEARNED = f"{catalogue.UNTRAINED}bert"  # stands in where the model in use has no learned table


def model_says(sines: Sines, current_run: CurrentRun) -> str:
    """Whether the rows in view are those that the model in use adds, and by how much the two differ at most."""
    config, values = current_run.entry.config, current_run.trace.values
    rows = values.get("encoder.position", values.get("decoder.position"))  # (T, d_model)
    if config.position != "sinusoidal" or rows is None:
        none = words("position.model_learned" if config.position == "learned" else "position.model_none")
        return where_positions_act.where(config, none)
    if start := config.position_start:
        base = f"{config.position_base:,.1f}"
        return words("position.model_from", base=base, d_model=config.d_model, start=start)
    if (sines.base, sines.d_model) != (config.position_base, config.d_model):
        return words("position.model_other", base=f"{config.position_base:,.0f}", d_model=config.d_model)
    error = np.abs(rows - sinusoids.positions(len(rows), sines.d_model, sines.base)).max()
    return words("position.model_same", last=len(rows) - 1, error=power_of_ten(float(error)))


def learned_entries(entry: catalogue.Entry) -> dict[str, catalogue.Entry]:
    """A trained model with a learned table, where there is one, and an untrained one: the one in use first.

    A table of whole sentences or words, an encoder's, shows more than one of a few fixed places.
    """
    others = [other for other in current.models().values() if not isinstance(other, catalogue.Untrained)]
    longest = max(filter(_learns, others), key=_reach, default=None)
    own_is_new = isinstance(entry, catalogue.Untrained) and _learns(entry)
    entry_with_table = entry if _learns(entry) and not own_is_new else longest
    by_kind = {"trained": entry_with_table, "untrained": entry if own_is_new else current.models()[LEARNED]}
    return {kind: other for kind, other in by_kind.items() if other is not None}


def _learns(entry: catalogue.Entry) -> bool:
    return entry.is_sound() and entry.reads_text and entry.config.position == "learned"


def _reach(entry: catalogue.Entry) -> tuple[bool, int]:
    return entry.config.architecture != "decoder", entry.config.max_length


def learned_entry(entry: catalogue.Entry) -> catalogue.Entry:
    """The model whose learned table is looked at closely: the one in use if it has one, else a trained one's."""
    by_kind = learned_entries(entry)
    return entry if _learns(entry) else by_kind.get("trained", by_kind["untrained"])


@models.cached
def learned_table(entry: catalogue.Entry) -> np.ndarray:
    """The learned table (max_length, d_model) of a model that has one, the encoder's where it has two."""
    tables = models.checkpoint(entry).model.position_tables
    return tables["encoder" if "encoder" in tables else "decoder"].detach().double().cpu().numpy()


def layer_costs(config: TransformerConfig, extra: int) -> dict[str, str]:
    """Parameters of an encoder layer of the model in use as it is, and `extra` columns wider."""
    biases = {"projection_bias": config.projection_bias, "feed_forward_bias": config.feed_forward_bias}
    parameters = sinusoids.layer_parameters(config.d_model, config.d_ff, **biases)
    wider = sinusoids.layer_parameters(config.d_model + extra, config.d_ff, **biases)
    return {"added": f"{parameters:,}", "wider": f"{wider:,}", "percent": f"{100 * (wider / parameters - 1):.0f}"}
