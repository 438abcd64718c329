"""HTML and SVG from jinja2 templates. A value is escaped when it is filled in, so that text can never become markup."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .palette import coloured

HERE = Path(__file__).parent


class _Coloured(FileSystemLoader):
    """Templates, and style sheets that they include, with the colours that they name."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        source, name, is_current = super().get_source(environment, template)
        return coloured(source), name, is_current


# templates stand beside the modules that use them, and are named by their path in this package or else in the project
_environment = Environment(
    loader=_Coloured([HERE, HERE.parent]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
)


def render(template: str, macro: str, **values: object) -> str:
    """Render a macro of a template with the values."""
    markup = getattr(_environment.get_template(template).module, macro)(**values)
    return str(markup).strip()
