"""The pages with two callbacks that fail, for test_browser_errors: a button's, and that of a control in a part."""

from unittest.mock import patch

import streamlit as st
from starlette.middleware import Middleware

from app import MIDDLEWARE, ROUTES, lifespan
from pages.shared.layout import tour
from pages.shared.session import view
from pages.shared.text import notices
from tests.samples import ROOT

choose = view.choose


def failing(**choices: object) -> None:
    if "base" in choices:
        raise ValueError("a callback that fails")
    choose(**choices)


patch.object(view, "choose", failing).start()
patch.object(tour, "apply_preset", side_effect=ValueError("a callback that fails")).start()
app = st.App(
    ROOT / "pages" / "shell.py",
    lifespan=lifespan,
    on_script_error=notices.unforeseen,
    routes=ROUTES,
    middleware=[Middleware(each) for each in MIDDLEWARE],
)
