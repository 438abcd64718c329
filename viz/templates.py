"""HTML and SVG from jinja2 templates. A value is escaped when it is filled in, so that text can never become markup."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).parent
# templates stand beside the modules that use them, and are named by their path in this package or else in the project
_environment = Environment(
    loader=FileSystemLoader([HERE, HERE.parent]),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def render(template: str, macro: str, **values: object) -> str:
    """Render a macro of a template with the values."""
    markup = getattr(_environment.get_template(template).module, macro)(**values)
    return str(markup).strip()
