"""A server of the routes of classes alone, in a process of its own: `python -m … PORT WAIT DIES`.

WAIT is how many seconds it waits for a database that is locked. It kills itself when it has kept the answer of this
number, before it says so; 0 for never.
"""

import os
import signal
import sys
from itertools import count
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from classroom import database
from classroom.classrooms import Classrooms
from pages.shared.server.cookie import UserCookie
from pages.shared.server.routes import class_routes

kept, answer = count(1), Classrooms.answer


def answer_or_die(*arguments: Any, **keywords: Any) -> str:
    """Keep an answer, the last one of this process."""
    text = answer(*arguments, **keywords)
    if next(kept) == int(dies):
        os.kill(os.getpid(), signal.SIGKILL)
    return text


if __name__ == "__main__":
    port, wait, dies = sys.argv[1:]
    Classrooms.answer = answer_or_die  # type: ignore[method-assign]
    database.WAIT = float(wait)  # type: ignore[assignment]
    app = Starlette(routes=class_routes.ROUTES, middleware=[Middleware(UserCookie)])
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="error")
