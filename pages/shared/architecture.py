"""The map of the model in use: which block shows which recorded value, and which page it opens."""

from model.tokenizer import SPECIALS
from pages.shared.reading import Reading
from pages.shared.words import section
from viz import architecture

# block: the recorded value whose shape it shows
_VALUES = {
    "encoder_input": "encoder.input",
    "encoder_self_attention": "encoder.0.self_attention.weights",
    "encoder_feed_forward": "encoder.0.feed_forward.hidden",
    "encoder_output": "encoder.output",
    "decoder_input": "decoder.input",
    "decoder_self_attention": "decoder.0.self_attention.weights",
    "cross_attention": "decoder.0.cross_attention.weights",
    "decoder_feed_forward": "decoder.0.feed_forward.hidden",
    "logits": "logits",
}
# block: the page it opens, and the view there; blocks without a page yet are no doors
DOORS = {
    "encoder_self_attention": ("attention", {"attention_kind": "encoder"}),
    "decoder_self_attention": ("attention", {"attention_kind": "decoder"}),
    "cross_attention": ("attention", {"attention_kind": "cross"}),
}


def architecture_data(reading: Reading) -> str:
    """The component's data for the model, with the shapes of this sentence."""
    shapes = {block: reading.trace.values[name].shape for block, name in _VALUES.items()}
    words_written = [token for token in reading.trace.output_tokens if token not in SPECIALS and token[-1].isalnum()]
    blocks = [architecture.Block(name, shape, _address(name)) for name, shape in shapes.items()]
    blocks.append(architecture.Block("next_word", words_written[-1] if words_written else "–"))
    layers = (reading.entry.config["encoder_layers"], reading.entry.config["decoder_layers"])
    return architecture.architecture_data(blocks, layers, section("architecture"))


def _address(block: str) -> str | None:
    return f"/{DOORS[block][0]}" if block in DOORS else None
