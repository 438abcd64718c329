"""A message of a page that is larger than any page sends is cut, or ends the connection."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.shared.server.limits.short_messages import LARGEST, TOO_BIG, ShortMessages
from pages.shared.session.view import KEPT


def message(*texts: str, query: str = "", json: str = "") -> bytes:
    result = BackMsg()
    result.rerun_script.query_string = query
    result.rerun_script.page_name = "start"
    for text in texts:
        result.rerun_script.widget_states.widgets.add(id="text", string_value=text)
    if json:
        result.rerun_script.widget_states.widgets.add(id="component", json_value=json)
    return result.SerializeToString()


def passed(data: bytes) -> tuple[Any, list[Any]]:
    """What the app receives of a message, and what is sent to the browser."""
    received, sent = [], []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.append(await receive())

    async def receive() -> Any:
        return {"type": "websocket.receive", "bytes": data}

    async def send(message: Any) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as thread:  # the one of this test may have a loop: that of Playwright
        thread.submit(asyncio.run, ShortMessages(app)({"type": "websocket"}, receive, send)).result()
    return received[0], sent


@pytest.mark.parametrize("texts", [("x" * LARGEST,), ("题" * LARGEST, "short")])
def test_texts_are_cut(texts: tuple[str, ...]) -> None:
    received, sent = passed(message(*texts, query="sentence=" + "y" * LARGEST))
    run = BackMsg.FromString(received["bytes"]).rerun_script
    assert [widget.string_value for widget in run.widget_states.widgets] == [text[:KEPT] for text in texts]
    assert (len(run.query_string), run.page_name, sent) == (KEPT, "start", [])


def test_what_a_page_sends_is_left_alone() -> None:
    data = message("题" * 1_000_000)  # a text for /train
    assert passed(data) == ({"type": "websocket.receive", "bytes": data}, [])


def test_a_message_that_is_still_too_large_ends_the_connection() -> None:
    received, sent = passed(message(json="[" + "1," * LARGEST + "1]"))
    assert received == {"type": "websocket.disconnect", "code": TOO_BIG}
    assert sent == [{"type": "websocket.close", "code": TOO_BIG}]
    assert passed(b"\xff" * (LARGEST + 1))[0] == received  # nor one that is none
