"""Report of this process: sessions, load, memory, the queue of trainings, and what `counts` has."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat

from pages.shared.load import counts
from pages.shared.models.trainings import run_queue

_process = psutil.Process()
_reading = threading.Lock()  # of `_last`: several threads ask
# when the processor time was read, its seconds, and the cores in use before
_last = (time.monotonic(), sum(_process.cpu_times()[:2]), 0.0)
SHORTEST = 1.0  # seconds over which the cores in use are measured


def process_name() -> str:
    """Name this process among those of the server."""
    return f"{socket.gethostname()[:80]}:{st.get_option('server.port')}"


def report() -> dict[str, Any]:
    """JSON values; memory in bytes, times in seconds.

    `busy` is the number of cores that the process uses, without its workers. `queue` names the queue of `runs`:
    on a cluster all processes have the same one.
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
            "id": _machine(),
            "cores": os.cpu_count() or 1,
            "load": psutil.getloadavg()[0],
            "memory": psutil.virtual_memory().total,
            "available": psutil.virtual_memory().available,
        },
        "queue": "cluster" if run_queue.is_shared() else process_name(),
        "runs": run_queue.states(),
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
    with _reading:
        when, used, busy = _last
        now = time.monotonic()
        if now - when >= SHORTEST:
            seconds = _cpu()
            busy = round((seconds - used) / (now - when), 3)
            _last = now, seconds, busy
        return busy


def _machine() -> str:
    """The same for all processes of a machine, also in containers: what Linux calls this start of the system."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
