"""The reports of all processes of the server: each tells the database what it does, so that any of them shows all."""

from __future__ import annotations

import logging
import threading
from typing import Any

from model.errors import InvalidInput
from pages.admin import access, report
from pages.shared.teaching import classes

EVERY = 5.0  # seconds
_log = logging.getLogger(__name__)


def tell_regularly(ended: threading.Event) -> None:
    """Tell of this process until `ended`, in a thread of its own. Nothing where nobody may ask."""
    if access.token():
        threading.Thread(target=_tell, args=(ended,), name="tell-of-this-process", daemon=True).start()


def _tell(ended: threading.Event) -> None:
    from rooms import processes

    while not ended.wait(EVERY):
        try:
            with classes.answering():
                processes.tell(classes.rooms(), report.name(), report.report())
        except InvalidInput:
            pass  # it is in the log; the next one may reach the database


def reports() -> tuple[dict[str, dict[str, Any]], list[dict[str, float]], bool]:
    """The reports by process, how full the classes are, and whether the database answers; this process's own anyway."""
    from rooms import processes

    own = {report.name(): report.report()}
    try:
        with classes.answering():
            rooms = classes.rooms()
            return processes.reports(rooms) | own, processes.fullness(rooms), True
    except InvalidInput:
        return own, [], False
