"""HAProxy's configuration."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_HERE = Path(__file__).parent


def configuration(address: str, port: int, ports: Sequence[int], certificate: Path | None, base: str) -> str:
    """The text of the file."""
    environment = Environment(loader=FileSystemLoader(_HERE), undefined=StrictUndefined, trim_blocks=True)
    bind = f"{address}:{port}" + (f" ssl crt {certificate.resolve()} alpn h2,http/1.1" if certificate else "")
    template = environment.get_template("haproxy.cfg")
    return template.render(bind=bind, ports=ports, certificate=certificate, health=health_path(base)) + "\n"


def health_path(base: str) -> str:
    """Where a process says that it is well, below the path of the app."""
    path = base.strip("/")
    return f"/{path}/_stcore/health" if path else "/_stcore/health"
