"""A real uvicorn: connections without a whole header are closed, those of slow users are not."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.sync.client import connect

from pages.shared.server.limits import slow_headers

PATIENCE = 30  # seconds until a connection that nobody closes fails a test
HALF = b"GET / HTTP/1.1\r\nHost: here\r\nX-Slow:"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where a server listens that gives a header a moment."""

    class Limited(H11Protocol):
        pass

    slow_headers.limit(Limited, 0.3)

    async def repeat(request: Request) -> PlainTextResponse:
        return PlainTextResponse(await request.body())

    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        await websocket.send_text(await websocket.receive_text())

    app = Starlette(routes=[Route("/", repeat, methods=["GET", "POST"]), WebSocketRoute("/echo", echo)])
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(app, http=Limited, lifespan="off", log_level="critical", timeout_keep_alive=PATIENCE * 2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


@contextmanager
def _open(port: int, sent: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        yield connection


def _is_closed(connection: socket.socket) -> bool:
    """Wait until it is; a timeout fails the test."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _until_another_was_closed(port: int) -> None:
    with _open(port, HALF) as later:
        assert _is_closed(later)


@pytest.mark.parametrize("sent", [b"", HALF, b"GET / HT"])
def test_a_connection_without_a_whole_header_is_closed(sent: bytes, port: int) -> None:
    with _open(port, sent) as connection:
        assert _is_closed(connection)


def test_a_header_that_grows_by_letters_is_no_reason_to_wait_longer(port: int) -> None:
    with _open(port, HALF) as connection:
        assert any(_closes_at_a_letter(connection) for _ in range(LETTERS))


LETTERS = 200  # 10 seconds


def _closes_at_a_letter(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        connection.sendall(b"x")
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_also_the_header_of_a_second_request_has_to_come(port: int) -> None:
    with _open(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        connection.sendall(HALF)
        assert _is_closed(connection)


def test_a_body_that_comes_slowly_has_its_time(port: int) -> None:
    with _open(port, b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 8\r\n\r\nslow") as connection:
        _until_another_was_closed(port)
        connection.sendall(b"ly")
        _until_another_was_closed(port)
        connection.sendall(b" x")
        answer = HTTPResponse(connection)
        answer.begin()
        assert answer.read() == b"slowly x"


def test_a_connection_between_two_requests_and_a_websocket_stay(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/echo") as websocket, _open(port, HALF + b" no\r\n\r\n") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        _until_another_was_closed(port)
        websocket.send("still here")
        assert websocket.recv() == "still here"
        connection.sendall(HALF + b" no\r\n\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")
