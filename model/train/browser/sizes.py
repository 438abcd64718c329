"""The sizes of models that a page trains."""

from dataclasses import dataclass

FEED_FORWARD = 3  # d_ff is so many times d_model
TEMPLATE_HEADS, TEMPLATE_HEAD_SIZE = 11, 26  # see `resized`


@dataclass(frozen=True)
class Size:
    """Layers are those of the encoder, to which a decoder of one layer belongs; a decoder alone has so many."""

    layers: int
    heads: int
    d_model: int

    @property
    def name(self) -> str:
        return f"{self.layers}-{self.heads}-{self.d_model}"

    @property
    def template(self) -> "Size":
        """The size whose graphs are exported for this one."""
        return Size(self.layers, TEMPLATE_HEADS, TEMPLATE_HEADS * TEMPLATE_HEAD_SIZE)


SIZES = tuple(Size(layers, heads, d_model) for layers in (1, 2) for d_model in (32, 64, 128) for heads in (1, 2, 4))
USUAL = Size(2, 4, 64)
