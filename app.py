"""Launcher: the Streamlit app as ASGI, with warm-up, headers and our routes. Run `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.net_util import get_internal_ip

from pages.shared import files_route, notices, train_jobs, train_route, warm_route
from pages.shared.base import base
from pages.shared.early import Early
from pages.shared.headers import SecurityHeaders
from pages.shared.reader import ReaderCookie
from pages.shared.warmup import warm_up_later

HERE = Path(__file__).parent
ROUTES = (*train_route.ROUTES, warm_route.ROUTE, files_route.ROUTE)


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Load torch and the models after the first page, or before anybody comes; then start what trains."""
    warm_up_later()
    port = st.get_option("server.port")
    train_jobs.warm_up_later(str(port))
    print(f"\n  Glassformer runs at http://localhost:{port}", flush=True)
    local = (st.get_option("server.address") or "") in ("localhost", "127.0.0.1", "::1")
    if not local and (network := get_internal_ip()):
        print(f"  and in this network at http://{network}:{port}\n", flush=True)
    yield
    train_jobs.close()


app = st.App(
    HERE / "pages" / "shell.py",
    lifespan=lifespan,
    on_script_error=notices.unforeseen,
    routes=[Route(base() + route.path, route.endpoint) for route in ROUTES],
    middleware=[Middleware(SecurityHeaders), Middleware(Early), Middleware(ReaderCookie)],
)
