"""Launcher: the Streamlit app as ASGI, with warm-up, headers and our routes. Run `streamlit run app.py`."""

import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

# Symptom: pages with a product of matrices took 10 to 200 ms more of a core than their own work. Cause: numpy's
# OpenBLAS wakes a thread for each core, and these wait in a busy loop. It reads this when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route

from model import device
from pages.admin import access, all_processes, report_route
from pages.shared.classroom import kept_notes, my_class
from pages.shared.load import workers
from pages.shared.models import warmup
from pages.shared.models.trainings import run_queue
from pages.shared.server.cookie import UserCookie
from pages.shared.server.headers import SecurityHeaders, framing_hosts
from pages.shared.server.limits import open_files, slow_headers
from pages.shared.server.limits.fair_requests import FairRequests
from pages.shared.server.limits.held_uploads import HeldUploads
from pages.shared.server.limits.same_origin import SameOrigin
from pages.shared.server.limits.short_messages import ShortMessages
from pages.shared.server.page_html import PageHtml
from pages.shared.server.routes import (
    class_routes,
    component_route,
    engine_route,
    files_route,
    film_route,
    link_preview,
    live_route,
    run_routes,
    warm_route,
)
from pages.shared.server.static.files import KeptFiles
from pages.shared.session import unattended
from pages.shared.session.base_path import base, network_origins
from pages.shared.text import notices
from pages.sheet import sheet_route
from viz import converter

HERE = Path(__file__).parent
ROUTES = (
    *run_routes.ROUTES, *class_routes.ROUTES, *sheet_route.ROUTES, *report_route.ROUTES,
    component_route.ROUTE, warm_route.ROUTE, files_route.ROUTE, film_route.ROUTE, link_preview.ROUTE,
    engine_route.ROUTE, *live_route.ROUTES,
)  # fmt: skip
# Pages and answers of our routes are packed, too. Their sizes tell no secret (BREACH): the name of a browser is in its
# cookie alone, and a route that knows a user asks for a header that no other site can send.
MIDDLEWARE = (
    SecurityHeaders, SameOrigin, FairRequests, HeldUploads, ShortMessages, KeptFiles, GZipMiddleware, PageHtml,
    UserCookie,
)  # fmt: skip


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Load torch and the models after the first page, or before anybody comes; then start what trains."""
    framing_hosts()  # a setting that cannot be is said at once
    access.token()
    device.check()
    open_files.allow_more()
    slow_headers.limit()
    unattended.begin()
    warmup.warm_up_later()
    workers.start(warmup.load_first, after=warmup.wait)
    converter.process.call = workers.call_for_file
    my_class.open_early()
    kept_notes.keep()
    port = st.get_option("server.port")
    run_queue.warm_up_later(str(port))
    print(f"\n  Glassformer runs at http://localhost:{port}", flush=True)
    for network in network_origins(f"http://localhost:{port}"):
        print(f"  and in this network at {network}", flush=True)
    print(flush=True)
    end = threading.Event()
    all_processes.tell_regularly(end)
    my_class.delete_regularly(end)
    yield
    end.set()
    my_class.write_out()
    run_queue.close()
    workers.end()


app = st.App(
    HERE / "pages" / "shell.py",
    lifespan=lifespan,
    on_script_error=notices.unforeseen,
    routes=[Route(base() + route.path, route.endpoint, methods=route.methods) for route in ROUTES],
    middleware=[Middleware(each) for each in MIDDLEWARE],
)
