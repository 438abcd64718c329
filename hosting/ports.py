"""The ports on which the processes of a class listen."""

import socket

FIRST = 10_000  # added to the port of the class: where its processes listen


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
