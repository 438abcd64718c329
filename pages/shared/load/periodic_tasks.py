"""Work that comes back while the server runs."""

import logging
import threading
from collections.abc import Callable


def regularly(seconds: float, name: str, work: Callable[[], None], end: threading.Event) -> None:
    """Call `work` every so many seconds until `end`, in a thread of its own. An error is logged, and it goes on."""

    def repeat() -> None:
        while not end.wait(seconds):
            try:
                work()
            except Exception:
                logging.getLogger(__name__).exception("%s failed", name)

    threading.Thread(target=repeat, name=name, daemon=True).start()
