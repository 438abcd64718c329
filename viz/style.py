"""The style of all that we draw as HTML, which comes once with the page and not with each table."""

from viz.bundle import FOLDER

SHEETS = ("attention_cell", "batch", "broken", "compare", "decoding", "quiz", "wide")


def style() -> str:
    """CSS."""
    return "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
