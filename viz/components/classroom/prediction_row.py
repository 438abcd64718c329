"""The row of attention that a prediction asks about, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ..frontend import frontend, style


def row_data(
    query: str, kind: str, options: Mapping[str, str], *, label: str, chosen: str | None,
    key: str = "", shares: Mapping[str, float] | None = None,
) -> str:  # fmt: skip
    """The component's `data`.

    query     the word whose row it is, of a `kind` of attention
    options   answer -> word
    shares    answer -> weight, 0 to 1, once it was measured, with the right answer as `key`; before, None
    """
    content: dict[str, object] = {
        "query": query, "kind": kind, "options": list(options.items()), "label": label, "chosen": chosen,
    }  # fmt: skip
    if shares is not None:
        content |= {"key": key, "shares": dict(shares)}
    return json.dumps(content, ensure_ascii=False)


_TEXT = ".gf-prediction-row { color: var(--st-text-color); font-family: var(--st-font); }"
FRONTEND = frontend("classroom/prediction_row", "gf-prediction-row", f"{_TEXT}\n{style('classroom/prediction')}")
