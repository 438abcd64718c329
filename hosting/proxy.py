"""HAProxy's configuration."""

import socket
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FIRST = 10_000  # added to the port of the class: where its processes listen
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


def free_ports(count: int, port: int) -> list[int]:
    """Ports of this machine that are free, the same ones after a restart where possible: runs are found by them."""
    ports: list[int] = []
    at = port + FIRST
    while len(ports) < count:
        if at > 65_000:
            at = 20_000
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if probe.connect_ex(("127.0.0.1", at)) != 0:
                ports.append(at)
        at += 1
    return ports
