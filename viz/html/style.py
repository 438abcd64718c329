"""The style of all that we draw as HTML, which comes once with the page and not with each table."""

from viz.components.bundle import FOLDER

TABLES = ("arithmetic", "batch", "mistakes", "compare", "outputs", "quiz")
SHEETS = (*(f"tables/{name}" for name in TABLES), "common/wide")


def style() -> str:
    """CSS."""
    return "\n".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
