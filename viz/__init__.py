"""Attention figures for notebooks: numpy, torch or lists in; a figure out that displays itself and saves itself.

    import glassformer

    outputs = model(**inputs, output_attentions=True)  # a model of Hugging Face, attn_implementation="eager"
    glassformer.head_wall(outputs, tokenizer.convert_ids_to_tokens(inputs.input_ids[0]))

`attention_lines` and `head_wall` show attention weights, `matrix` any matrix, `trace` a recorded pass,
`score_terms` why a query looks at a key. Each returns a
`Figure`. `live` shows a page in which the model itself runs. docs/notebook.md in the repository has the guide.

In the repository this folder is named `viz`, and the app draws with it; `pip install .` installs it as `glassformer`.
All imports in it are relative, so that it works under both names.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .version import VERSION as __version__

if TYPE_CHECKING:
    from .figures.figure import Figure
    from .notebook.attention import attention_lines, head_wall
    from .notebook.live_page import live
    from .notebook.matrices import matrix
    from .notebook.recordings import trace
    from .notebook.rollout import rollout
    from .notebook.score_terms import score_terms
    from .notebook.value_norms import weighted_by_values

__all__ = [
    "Figure", "__version__", "attention_lines", "head_wall", "live", "matrix", "rollout", "score_terms", "trace",
    "weighted_by_values",
]  # fmt: skip
_MODULES = {
    "attention_lines": "notebook.attention",
    "head_wall": "notebook.attention",
    "Figure": "figures.figure",
    "live": "notebook.live_page",
    "matrix": "notebook.matrices",
    "rollout": "notebook.rollout",
    "score_terms": "notebook.score_terms",
    "trace": "notebook.recordings",
    "weighted_by_values": "notebook.value_norms",
}


def __getattr__(name: str) -> object:
    """Import what a notebook asks for when it does: the app needs single modules, and starts without the rest."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
