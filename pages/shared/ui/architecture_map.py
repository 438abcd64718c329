"""The map of the model in use, and which page each of its blocks opens."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from model.analysis import labels
from pages.shared.load.component_code import component
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, base_path
from pages.shared.text.words import section, words
from pages.shared.ui import show
from viz.components import architecture_blocks
from viz.components.architecture_blocks import FRONTEND as ARCHITECTURE
from viz.standalone.document import Component


@dataclass(frozen=True)
class Door:
    """The page that a block opens, and what is chosen there."""

    page: str
    choices: dict[str, str]

    @property
    def address(self) -> str:
        """For those who open it in a new tab."""
        return f"{self.page}?{urlencode(address.url_of() | self.choices)}"


def doors() -> dict[str, Door]:
    """The blocks that have a page; blocks without one yet are no doors."""
    return {
        "encoder_input": Door("embedding", {}),
        "decoder_input": Door("embedding", {"side": "decoder"}),
        "encoder_self_attention": Door("attention", {"attention_kind": "encoder"}),
        "decoder_self_attention": Door("attention", {"attention_kind": "decoder"}),
        "cross_attention": Door("attention", {"attention_kind": "cross"}),
        "encoder_feed_forward": Door("layers", {}),
        "labels": Door("why", {}),
        "decoder_feed_forward": Door("layers", {}),
        "logits": Door("decoding", {}),
        "next_word": Door("intervene", {}),
    }


def architecture_data(current_run: CurrentRun, before: str = "") -> str:
    """The component's data for the model, with the shapes of this sentence; `before` begins the links of its doors."""
    values = current_run.trace.values
    shapes = {name: values[name].shape for name in architecture_blocks.VALUES.values() if name in values}
    is_spelled = models.tokenizer(current_run.entry).spells  # a model of characters writes no words
    addresses = {block: before + door.address for block, door in doors().items()}
    blocks = architecture_blocks.blocks_of(shapes, current_run.text, addresses, spelled=is_spelled)
    layers = (current_run.entry.config.encoder_layers, current_run.entry.config.decoder_layers)
    texts = section("architecture") | (section("architecture_characters") if is_spelled else {})
    kind = labels.kind_of(current_run.entry.config)
    if kind in ("several", "score"):  # which no softmax joins
        texts |= {"labels": words(f"architecture_labels.{kind}")}
    parallel = bool(current_run.entry.config.parallel)
    return architecture_blocks.architecture_data(blocks, layers, texts, parallel=parallel)


_architecture = component("architecture", ARCHITECTURE)


def architecture(current_run: CurrentRun, doors: Mapping[str, Door]) -> None:
    """The map of the model; a block that is a door opens its page, in a file too."""
    data = architecture_data(current_run)
    outside = architecture_data(current_run, f"{base_path.origin()}/")

    with show.still("architecture", words("architecture.title")):
        result = _architecture(data=data, key="architecture", on_open_change=lambda: None)
    show.keep(lambda: [Component("architecture", ARCHITECTURE, outside)])
    if result.open in doors:
        address.open_page(doors[result.open].page, **doors[result.open].choices)


def differences(current_run: CurrentRun) -> None:
    """Say where the layers of this model differ from the map, a sentence each."""
    config = current_run.entry.config
    said: dict[str, dict[str, object]] = {"parallel": {}} if config.parallel else {}
    if config.embedding_size:
        said["embedding_size"] = {"size": config.embedding_size, "d_model": config.d_model}
    if config.shared_layers:
        said["shared_layers"] = {"count": config.encoder_layers}
    if any(config.windows):
        layers = ", ".join(str(layer) for layer, window in enumerate(config.windows) if window)
        said["windows"] = {"layers": layers, "count": max(config.windows)}
    if config.unrotated:
        said["unrotated"] = {"layers": ", ".join(map(str, config.unrotated))}
    if config.query_key_norm:
        said["query_key_norm"] = {}
    for name, values in said.items():
        show.caption(words(f"architecture_differences.{name}", **values))
