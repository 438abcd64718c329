"""Launcher: the Streamlit app as ASGI, with warm-up and security headers. Run `streamlit run app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages.shared.headers import SecurityHeaders
from pages.shared.warmup import warm_up

HERE = Path(__file__).parent


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Load torch and the first model beside the first page, not before it."""
    warm_up()
    yield


app = st.App(HERE / "pages" / "shell.py", lifespan=lifespan, middleware=[Middleware(SecurityHeaders)])
