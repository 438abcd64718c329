"""Closes connections on which no whole request comes: uvicorn would wait for the rest of a header for ever.

Symptom: whoever opened connections and sent half a header on each held them, and with them the files that the server
may open. uvicorn limits only the time between two requests, and has no setting for this. What has been asked, a body
that comes slowly and a WebSocket, keeps its time.
Test: `tests/pages/shared/server/test_slow_headers.py`.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS = 10.0  # for a header, as HAProxy's `timeout http-request`


def limit(protocol: Any = AutoHTTPProtocol, seconds: float = SECONDS) -> None:
    """Let connections of this class of uvicorn's wait so long for a header."""
    made, received = protocol.connection_made, protocol.data_received
    timers: dict[Any, asyncio.TimerHandle] = {}

    def give_up(connection: Any) -> None:
        timers.pop(connection, None)
        connection.transport.abort()

    def wait(connection: Any) -> None:
        if connection not in timers and not connection.transport.is_closing():
            timers[connection] = connection.loop.call_later(seconds, give_up, connection)

    def end(connection: Any) -> None:
        if timer := timers.pop(connection, None):
            timer.cancel()

    def connection_made(connection: Any, transport: Any) -> None:
        made(connection, transport)
        wait(connection)

    def data_received(connection: Any, data: bytes) -> None:
        received(connection, data)
        cycle = connection.cycle
        upgraded = connection.transport.get_protocol() is not connection
        if upgraded or (cycle is not None and not cycle.response_complete):
            end(connection)
        else:
            wait(connection)

    protocol.connection_made, protocol.data_received = connection_made, data_received
