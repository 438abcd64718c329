"""Fixtures that several files of this folder use."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from pages.shared.ui import attention_figure


@pytest.fixture
def walls() -> Iterator[list[dict]]:
    """What the two attention figures were given."""
    found: list[dict] = []
    pack = attention_figure.attention_data

    def watch(panels, **rest):
        found.append({"panels": {panel.kind: panel for panel in panels}, **rest})
        return pack(panels, **rest)

    with patch.object(attention_figure, "attention_data", watch):
        yield found
