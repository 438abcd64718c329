"""Result of converting a Hugging Face model: our config and weights, with the ids still the original's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import InvalidInput

LONGEST = 2048  # tokens that a model without a table of positions is imported for


@dataclass(frozen=True, eq=False)
class Converted:
    """config and weights of our model; vocabularies are in the order of the original's ids.

    start   the original's id that a decoder beside an encoder reads first
    first   the original's id with which every output is made to begin, if any
    banned  the original's id that is never written, if any
    """

    config: dict[str, Any]
    weights: dict[str, Tensor]
    start: int | None = None
    first: int | None = None
    banned: int | None = None

    @property
    def checked(self) -> TransformerConfig:
        """The config of our model. Raises `InvalidInput` where two fields cannot stand together."""
        return TransformerConfig(**self.config)


class Fields:
    """The fields of a Hugging Face config.json."""

    def __init__(self, values: Mapping[str, Any], generation: Mapping[str, Any]):
        self._values = dict(values)
        self._generation = generation  # of generation_config.json, where newer models keep a part of it

    def get(self, name: str, default: Any = None) -> Any:
        """The field, else `default`; a field that is null counts as missing."""
        value = self._values.get(name)
        return default if value is None else value

    def flag(self, name: str, default: bool) -> bool:
        """A field that is true or false."""
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise InvalidInput("import_field", field=name, value=value, choices="true, false")
        return value

    def number(self, name: str, default: float) -> float:
        """A field that is a number from 0 on."""
        value = self.get(name, default)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < float("inf"):
            raise InvalidInput("import_field", field=name, value=value, choices="a number from 0 on")
        return float(value)

    def value(self, name: str, default: Any) -> Any:
        """The field of config.json, `default` only where it is missing: null is a value."""
        return self._values.get(name, default)

    @property
    def architecture(self) -> str:
        """The class that the model was saved from, such as `BartForConditionalGeneration`; "" where none is named."""
        return str((self.get("architectures") or [""])[0])

    def count(self, *names: str, default: int | None = None) -> int:
        """A field that is a whole number above 0, under the first of the names that is there, else `default`."""
        value = next((self._values[name] for name in names if self._values.get(name) is not None), default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidInput("import_field", field=names[0], value=value, choices="a whole number above 0")
        return value

    def id(self, name: str, default: int | None = None) -> int | None:
        """The id that a field names, the first of several; `default` where it names none of the vocabulary.

        transformers leaves the ids of its own default vocabulary, such as 50256, in the config of a model with another.
        """
        size = self.count("vocab_size")
        for values in (self._values, self._generation):
            named = values.get(name)
            for id_ in named if isinstance(named, list) else [named]:
                if isinstance(id_, int) and not isinstance(id_, bool) and 0 <= id_ < size:
                    return id_
        return default

    def generated_id(self, name: str, default: int | None = None) -> int | None:
        """An id that only writing needs: of generation_config.json where there is one, as in transformers."""
        if not self._generation:
            return self.id(name, default)
        return Fields({"vocab_size": self.get("vocab_size"), **self._generation}, {}).id(name, default)

    def choose(self, name: str, choices: Mapping[Any, str], default: Any = None) -> str:
        """Translate the value of a field into our word. Raises `InvalidInput` for a value that our model has not."""
        value = self.get(name, default)
        if not isinstance(value, str) or value not in choices:
            raise InvalidInput("import_field", field=name, value=value, choices=", ".join(map(str, choices)))
        return choices[value]

    def need(self, name: str, value: Any, default: Any = None) -> None:
        """Raise `InvalidInput` unless a field has that value, where it is missing `default` counts."""
        if self.get(name, default) != value:
            raise InvalidInput("import_field", field=name, value=self.get(name, default), choices=value)


ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
    "gelu_fast": "gelu-tanh",
    "silu": "silu",
    "swish": "silu",
}
