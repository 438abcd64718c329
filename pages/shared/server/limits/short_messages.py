"""Cuts the texts of a message of a page that is larger than any page sends, before somebody reads them."""

from contextlib import suppress

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.shared.session.view import KEPT

LARGEST = 4_000_000  # bytes of a message; a text for /train may be 1 MB, and each message repeats it
TOO_BIG = 1009  # code of a closed connection


class ShortMessages:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_cut() -> Message:
            message = await receive()
            data = message.get("bytes") or b""
            if len(data) <= LARGEST:
                return message
            with suppress(DecodeError):
                data = cut(data)
            if len(data) <= LARGEST:
                message["bytes"] = data
                return message
            await send({"type": "websocket.close", "code": TOO_BIG})
            return {"type": "websocket.disconnect", "code": TOO_BIG}

        await self.app(scope, receive_cut if scope["type"] == "websocket" else receive, send)


def cut(data: bytes) -> bytes:
    """The message with at most `KEPT` characters of its address and of each text."""
    message = BackMsg.FromString(data)
    run = message.rerun_script
    run.query_string = run.query_string[:KEPT]
    for widget in run.widget_states.widgets:
        if widget.WhichOneof("value") == "string_value":
            widget.string_value = widget.string_value[:KEPT]
    return message.SerializeToString()
