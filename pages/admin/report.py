"""What this process tells of itself: sessions, load, memory, the queue of trainings, and what `counts` has."""

from __future__ import annotations

import os
import socket
import time
from typing import Any

import psutil
import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat

from pages.shared.load import counts
from pages.shared.models import queue

_process = psutil.Process()
_last = (0.0, 0.0)  # when the processor time was read, and its seconds


def name() -> str:
    """What this process is called among those of the server."""
    return f"{socket.gethostname()[:80]}:{st.get_option('server.port')}"


def report() -> dict[str, Any]:
    """JSON values; memory in bytes, times in seconds.

    `busy` is the number of cores that the process has used since the last report, its workers without.
    """
    workers = _process.children(recursive=True)
    return {
        "began": _process.create_time(),
        "noted": time.time(),
        "sessions": _sessions(),
        "memory": _process.memory_info().rss,
        "memory_workers": sum(map(_memory, workers)),
        "cpu": _cpu(),
        "busy": _busy(),
        "machine": {
            "cores": os.cpu_count() or 1,
            "load": psutil.getloadavg()[0],
            "memory": psutil.virtual_memory().total,
            "available": psutil.virtual_memory().available,
        },
        "runs": queue.states(),
        **counts.report(),
    }


def _sessions() -> int:
    """Open pages, as Streamlit counts them for its own metrics."""
    if not Runtime.exists():
        return 0
    stats = Runtime.instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY]).get(ACTIVE_SESSIONS_FAMILY, [])
    return int(sum(stat.value for stat in stats if isinstance(stat, GaugeStat)))


def _memory(worker: psutil.Process) -> int:
    try:
        return int(worker.memory_info().rss)
    except psutil.Error:
        return 0  # it has just ended


def _cpu() -> float:
    times = _process.cpu_times()
    return float(times.user + times.system)


def _busy() -> float:
    global _last
    now, used = time.monotonic(), _cpu()
    before, _last = _last, (now, used)
    return round((used - before[1]) / (now - before[0]), 3) if before[0] and now > before[0] else 0.0
