"""The style of all tables drawn as HTML. It comes once with the page (`page_html`), not with each table."""

from ..components import frontend

TABLES = (
    "arithmetic", "batch", "blocks", "mistakes", "configs", "outputs", "quiz", "glossary", "influence", "features",
)  # fmt: skip
SHEETS = (*(f"tables/{name}" for name in TABLES), "common/wide")


def style() -> str:
    """CSS."""
    return "\n".join(map(frontend.style, SHEETS))
