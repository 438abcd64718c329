"""Views that are drawn without a browser: a session of the same user that runs a page once, for a file about it.

Streamlit runs a page only in a session; `AppTest` replaces the whole runtime, which a server cannot. So this opens a
session as a browser's connection does (`Runtime.connect_session`), waits for the end of the first run, takes what the
page has left in its state, and closes it. Its runs take turns and are counted as all others.
Test: `tests/pages/classroom/test_browser_slides.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.session_manager import ClientContext, SessionClient

PATIENCE = 60  # seconds for one view
T = TypeVar("T")
_sessions: set[str] = set()
_loop: asyncio.AbstractEventLoop | None = None


def begin() -> None:
    """Call it where the server starts: sessions are opened on its own loop."""
    global _loop
    _loop = asyncio.get_running_loop()


def is_unattended() -> bool:
    """Whether nobody looks at this run: then it tells nobody else what it shows."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.session_id in _sessions


@dataclass(eq=False)
class _Nobody(SessionClient):
    """In place of a browser: it only waits for the end of a run."""

    context: ClientContext | None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        if msg.WhichOneof("type") == "script_finished" and msg.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.ended.set()

    @property
    def client_context(self) -> ClientContext | None:
        return self.context


def drawer(kind: type[T], **always: str) -> Callable[[str], T | None]:
    """In a run: what draws views (`attention?head=3`) for this user, later and in another thread.

    It gives the instance of `kind` that the page has left in its session's state (`state.py`), or None where it left
    none. `always` is added to the address of each view.
    """
    session = get_script_run_ctx(suppress_warning=True)
    client = Runtime.instance().get_client(session.session_id) if session and Runtime.exists() else None
    context = client.client_context if client else None

    def draw(view: str) -> T | None:
        if _loop is None:
            return None
        return asyncio.run_coroutine_threadsafe(_draw(view, kind, always, context), _loop).result()

    return draw


async def _draw(view: str, kind: type[T], always: dict[str, str], context: ClientContext | None) -> T | None:
    page, _, query = view.partition("?")
    runtime, nobody = Runtime.instance(), _Nobody(context)
    id_ = runtime.connect_session(nobody, {})
    _sessions.add(id_)
    try:
        message: Any = BackMsg()
        message.rerun_script.page_name = page
        message.rerun_script.query_string = urlencode(dict(parse_qsl(query)) | always)
        runtime.handle_backmsg(id_, message)
        await asyncio.wait_for(nobody.ended.wait(), PATIENCE)
        session = runtime.get_app_session(id_)
        try:
            return session.session_state[f"_{kind.__name__.lower()}"] if session else None
        except KeyError:
            return None
    except TimeoutError:
        return None
    finally:
        runtime.close_session(id_)
        _sessions.discard(id_)
