"""The reports of all processes of the server: each tells the database what it does, so that any of them shows all."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any

from model.errors import InvalidInput
from pages.admin import access, report
from pages.shared.classroom import my_class
from pages.shared.load.threads import regularly

EVERY = 5.0  # seconds


def tell_regularly(end: threading.Event) -> None:
    """Tell of this process until `end`. Nothing where nobody may ask."""
    if access.token():
        regularly(EVERY, "tell-of-this-process", _tell, end)


def _tell() -> None:
    from classroom import processes

    with suppress(InvalidInput), my_class.answering():  # a database that is away is in the log
        processes.tell(my_class.classrooms(), report.process_name(), report.report())


def reports() -> tuple[dict[str, dict[str, Any]], list[dict[str, float]], bool]:
    """The reports by process, how full the classes are, and whether the database answers; this process's own anyway."""
    from classroom import processes

    own = {report.process_name(): report.report()}
    try:
        with my_class.answering():
            classrooms = my_class.classrooms()
            return processes.reports(classrooms) | own, processes.fullness(classrooms), True
    except InvalidInput:
        return own, [], False
