"""A visitor without a browser: speaks Streamlit's protocol over a websocket, and waits until its run has ended."""

from __future__ import annotations

import asyncio
import re
import time
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

LARGEST = 64_000_000  # bytes of a message
PATIENCE = 60.0  # seconds
_FILE = re.compile(rb'href="(/[^"]*?files/[^"]+)"')


class Visitor:
    """One session on one page. `await open()` first; then `await type(text)` as often as wanted; both give seconds."""

    def __init__(self, address: str, page: str, query: str = "", cookies: str = ""):
        self.address, self.page, self.query, self.cookies = address, page, query, cookies
        self.socket: ClientConnection | None = None
        self.script = ""
        self.inputs: dict[str, str] = {}  # ids of text inputs by their keys
        self.received = 0  # bytes
        self.errors: list[str] = []
        self.files: list[str] = []  # addresses of the files that the page offers, without the server's

    async def open(self) -> float:
        """Connect and open the page."""
        parts = urlsplit(self.address)
        start = time.monotonic()
        self.socket = await connect(
            f"ws://{parts.netloc}{parts.path}/_stcore/stream", subprotocols=["streamlit"], max_size=LARGEST,  # type: ignore[list-item]
            origin=f"http://{parts.netloc}", open_timeout=PATIENCE, ping_interval=None,
            additional_headers={"Cookie": self.cookies} if self.cookies else None,
        )  # fmt: skip
        assert self.socket.response is not None
        told = (text.partition(";")[0] for text in self.socket.response.headers.get_all("Set-Cookie"))
        self.cookies = "; ".join(filter(None, (self.cookies, *told)))  # a proxy names the process by one
        await self.go(self.page, self.query)
        return time.monotonic() - start

    async def go(self, page: str, query: str = "") -> None:
        """To another page, as Back of the browser does."""
        self.page, self.query = page, query
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        await self._run(message)

    async def type(self, text: str, key: str = "sentence") -> float:
        """Type into the text input `key`; raises KeyError if the page has none."""
        start = time.monotonic()
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.script
        state = message.rerun_script.widget_states.widgets.add()
        state.id = self.inputs[key]
        state.string_value = text
        await self._run(message)
        return time.monotonic() - start

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()

    async def _run(self, message: BackMsg) -> None:
        assert self.socket is not None
        self.files.clear()
        await self.socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self._read(await self.socket.recv(decode=False)):
                pass

    def _read(self, data: bytes) -> bool:
        """Take note of a message; True if the run has ended."""
        self.received += len(data)
        self.files += (match.decode() for match in _FILE.findall(data))
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "delta":
            self._note(message.delta)
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _note(self, delta: Delta) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        if element.WhichOneof("type") == "text_input":
            self.inputs[element.text_input.id.rsplit("-", 1)[-1]] = element.text_input.id
        elif element.WhichOneof("type") == "exception":
            self.errors.append(element.exception.message)
