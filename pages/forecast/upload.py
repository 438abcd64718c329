"""A user's own prices: the upload, what came of it, and the table that this session keeps."""

import json

import streamlit as st

from model.errors import InvalidInput
from model.forecast import prices
from pages.shared.session import script_run, view
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import show

_TABLE, _COUNT = "table", "uploads"  # what this page keeps for the session
_ERROR = "refused"


def table() -> str:
    """The user's table as CSV, empty before there is one; with the place to upload one."""
    with st.container(border=True, key="own_prices"):
        count = int(view.kept(_COUNT) or 0)
        # a new widget for each file: the server keeps the bytes of a file for as long as its widget stands
        file = st.file_uploader(
            words("forecast_own.label", days=f"{prices.MOST_DAYS:,}", limit=prices.MOST_BYTES // 1_000_000),
            type="csv",
            key=f"prices_{count}",
            max_upload_size=prices.MOST_BYTES // 1_000_000,
        )
        show.caption(words("forecast_own.hint"))
        if file is not None:
            _take(file.getvalue(), count)
            script_run.rerun()
        if error := view.kept(_ERROR):
            code, values = json.loads(error)
            notices.say("error", refusal(InvalidInput(code, **values)))
        text = view.kept(_TABLE) or ""
        if text:
            st.button(words("forecast_own.remove"), key="remove_prices", on_click=view.keep, kwargs={_TABLE: None})
        else:
            show.text(words("forecast_own.none"))
    return text


def _take(data: bytes, count: int) -> None:
    view.keep(**{_COUNT: str(count + 1), _ERROR: None})
    try:
        table_ = prices.prices_of(data)
        prices.split_in_time(table_, prices.WINDOW)
    except InvalidInput as error:
        view.keep(**{_ERROR: json.dumps([error.code, {key: str(value) for key, value in error.values.items()}])})
    else:
        view.keep(**{_TABLE: prices.as_csv(table_)})
        view.choose(day=None, start=None)
