"""The backend on a Ray cluster: a detached manager has the one queue, and an actor executes each run.

The manager is `model.jobs.pool.Jobs` with actors instead of processes, so queue, limits and bookkeeping are the same.
It outlives the servers that use it: each replica of the app sees every run. Nodes need not share a disk.
"""

import contextlib
import math
import os
import shutil
import tempfile
import threading
from collections import OrderedDict
from multiprocessing import Pipe
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import ActorDiedError, RayActorError, RayError

from model import device
from model.errors import InvalidInput
from model.jobs import types, worker
from model.jobs.pool import NICE, Jobs
from model.jobs.process import ROOT, Worker
from model.jobs.queue import WAITING
from model.jobs.retention import UNWATCHED
from model.jobs.types import Outlook, Progress, Result, State

if TYPE_CHECKING:
    from model.jobs.types import Kind, Limits, Task

NAMESPACE = "glassformer"
MANAGER = "jobs"
CALLERS = 64  # threads of the manager: so many replicas and workers may speak to it at once
PATIENCE = 120.0  # seconds until the manager has answered; its first answer waits for torch
FETCHED = 16  # runs whose files a server keeps a copy of


class RayJobs:
    """The same `Backend` as `model.jobs.pool.Jobs`, on the cluster at `RAY_ADDRESS`. Threads may share it."""

    def __init__(
        self,
        workers: int | None = None,
        *,
        kind: "Kind | None" = None,
        limits: "Limits | None" = None,
        unwatched: float = UNWATCHED,
        waiting: int = WAITING,
        nice: int = NICE,
        name: str = MANAGER,
    ):
        """Connect, and start the manager if the cluster has none of that name. An existing one keeps its settings.

        Without a `kind` of tasks it can only close a manager, not submit runs.
        """
        self.name = name
        self._options = {"kind": kind, "limits": limits, "unwatched": unwatched, "waiting": waiting, "nice": nice}
        self._workers = workers
        self._files = Path(tempfile.mkdtemp(prefix="glassformer-fetched-"))
        self._fetched: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()
        if not ray.is_initialized():
            ray.init(
                address=os.environ.get("RAY_ADDRESS", "auto"),
                namespace=NAMESPACE,
                runtime_env={
                    "py_modules": [str(ROOT / name) for name in ("model", "corpora", "viz")],
                    "excludes": ["**/__pycache__"],
                    "env_vars": {
                        "OMP_NUM_THREADS": "1",
                        "TOKENIZERS_PARALLELISM": "false",
                        device.VARIABLE: device.name(),
                    },
                },
                log_to_driver=False,
            )
        self._manager = self._find()

    def warm(self) -> None:
        """Start the workers, so that the first run need not wait for them."""
        self._ask("warm")

    def submit(self, task: "Task", session: str) -> str:
        """Queue a run and give its id."""
        return self._ask("submit", task, session)

    def progress(self, id: str, since: int = 0) -> Progress:
        """How the run stands; asking counts as watching it."""
        return self._ask("progress", id, since)

    def pause(self, id: str) -> None:
        """Leave off for as long as wanted."""
        self._ask("pause", id)

    def resume(self, id: str) -> None:
        """Queue a paused run again."""
        self._ask("resume", id)

    def stop(self, id: str) -> None:
        """End a run; what it has is kept."""
        self._ask("stop", id)

    def result(self, id: str) -> Result:
        """Return everything that the run has saved so far, its files fetched to this server."""
        result: Result = self._ask("result", id)
        folder = self._files / id
        with self._lock:
            self._make_room(id)
            folder.mkdir(exist_ok=True)
            names = [types.moment_file(step) for step in result.moments]
            for name in names:
                if not (folder / name).exists():
                    _write(folder / name, self._ask("file", id, name))
        return Result(result.id, result.settings, folder, result.moments)

    def list(self, session: str) -> list[Progress]:
        """The runs of a session, the newest first, without their reports."""
        return self._ask("list", session)

    def outlook(self) -> Outlook:
        """Estimate how a run that is submitted now waits and runs; the load is that of the manager's node."""
        return self._ask("outlook")

    def states(self) -> dict[State, int]:
        """How many runs there are in each state, of all servers that use the manager; none where it is away."""
        with contextlib.suppress(RayError):
            return self._ask("states") or {}  # a manager of an older version knows no states
        return {}

    def close(self) -> None:
        """End the manager and all its workers, for every server that uses it; runs under way are lost."""
        with contextlib.suppress(RayError):
            self._ask("close")
        with contextlib.suppress(RayError):
            ray.kill(self._manager)
        shutil.rmtree(self._files, ignore_errors=True)

    def _ask(self, what: str, *arguments: object) -> Any:
        """The manager's answer. A manager that was lost with its node is replaced; its runs are lost."""
        try:
            answer = ray.get(self._manager.answer.remote(what, *arguments), timeout=PATIENCE)
        except RayActorError:
            self._manager = self._find()
            answer = ray.get(self._manager.answer.remote(what, *arguments), timeout=PATIENCE)
        if isinstance(answer, InvalidInput):
            raise answer
        return answer

    def _find(self) -> Any:
        actor = Manager.options(  # type: ignore[attr-defined]
            name=self.name,
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            num_cpus=0,
            max_concurrency=CALLERS,
        )
        return actor.remote(self._workers, self._options)

    def _make_room(self, id: str) -> None:
        self._fetched[id] = None
        self._fetched.move_to_end(id)
        while len(self._fetched) > FETCHED:
            shutil.rmtree(self._files / self._fetched.popitem(last=False)[0], ignore_errors=True)


@ray.remote
class Manager:
    """The queue of the cluster, and its connections to the actors that train."""

    ASKED = ("warm", "submit", "progress", "pause", "resume", "stop", "result", "list", "outlook", "states", "close")

    def __init__(self, workers: int | None, options: dict[str, Any]):
        cores = int(ray.cluster_resources().get("CPU", 1))
        most = workers or int(os.environ.get("GLASSFORMER_WORKERS", "0")) or max(1, cores - 1)
        self._itself = ray.get_runtime_context().current_actor
        self._lines: dict[str, _Line] = {}  # to each trainer, by its name
        self._gpus = gpu_share(device.name(), most, int(ray.cluster_resources().get("GPU", 0)))
        self._jobs = Jobs(workers=most, start=self._start, **options)

    def answer(self, what: str, *arguments: Any) -> Any:
        """The answer of the queue. An `InvalidInput` is returned, as Ray would wrap a raised one in its own error."""
        try:
            if what == "file":
                return self._file(*arguments)
            return getattr(self._jobs, what)(*arguments) if what in self.ASKED else None
        except InvalidInput as error:
            return error

    def hear(self, trainer: str, message: tuple[Any, ...], files: dict[str, bytes]) -> list[tuple[Any, ...]]:
        """Receive a message of a trainer with the files that it has written. Returns the messages for the trainer."""
        return self._lines[trainer].hear(message, files)

    def pids(self) -> list[int]:
        """The processes of the trainers that are ready, each on its own node."""
        return [line.pid for line in self._lines.values() if line.pid and not line.ended]

    def _file(self, id: str, name: str) -> bytes:
        result = self._jobs.result(id)
        if name not in map(types.moment_file, result.moments):
            raise InvalidInput("job_unknown")
        return (result.folder / name).read_bytes()

    def _start(self, nice: int) -> Worker:
        line = _Line(self._itself, nice, self._gpus)
        self._lines = {name: other for name, other in self._lines.items() if not other.ended} | {line.name: line}
        return Worker(line, line)  # type: ignore[arg-type]


def gpu_share(name: str, workers: int, gpus: int) -> float:
    """Share of a GPU that each of so many trainers reserves: Ray hides the GPUs from one that reserves nothing."""
    return 0 if name == device.CPU or not gpus else 1 / math.ceil(workers / gpus)


class _Line:
    """A trainer as the pool sees it: in place of both a process and the connection to it."""

    def __init__(self, manager: Any, nice: int, gpus: float):
        self.name = os.urandom(8).hex()
        self.ended = ""  # why there is no trainer any more
        self.pid = 0
        self._here, self._there = Pipe(duplex=False)
        self._gone = threading.Event()
        self._lock = threading.Lock()
        self._told: list[tuple[Any, ...]] = []
        self._folder = Path()  # of the run at hand
        self._trainer = Trainer.options(num_gpus=gpus).remote(manager, self.name, nice)  # type: ignore[attr-defined]

    def hear(self, message: tuple[Any, ...], files: dict[str, bytes]) -> list[tuple[Any, ...]]:
        """Pass a message of the trainer on to the pool. Returns the messages that wait for the trainer."""
        for name, data in files.items():
            _write(self._folder / name, data)
        with self._lock:
            if message[0] == "ready":
                self.pid = message[1]
            self._there.send(message)
            messages, self._told = self._told, []
        return messages

    # a connection

    def send(self, message: tuple[Any, ...]) -> None:
        """Start a run, with its saved state, or warm up. Other messages wait for the trainer's next report."""
        if message[0] == "warm":
            self._watch(self._trainer.begin.remote(message[1]))
            return
        if message[0] != "run":
            with self._lock:
                self._told.append(message)
            return
        _, _, task, self._folder, limits = message
        state = self._folder / worker.STATE
        files = {worker.STATE: state.read_bytes()} if state.exists() else {}
        state.unlink(missing_ok=True)
        with self._lock:
            self._told = []
        self._watch(self._trainer.run.remote(task, limits, files))

    def recv(self) -> tuple[Any, ...]:
        return self._here.recv()

    def fileno(self) -> int:
        return self._here.fileno()

    def close(self) -> None:
        self.kill()

    # a process

    def wait(self, timeout: float | None = None) -> str:
        self._gone.wait(timeout)
        return self.ended or "unknown"

    def kill(self) -> None:
        with contextlib.suppress(RayError):
            ray.kill(self._trainer)
        self._hang_up("killed")

    def _watch(self, task: Any) -> None:
        """Close the connection when the trainer ends, which the pool notices."""

        def wait() -> None:
            try:
                ray.get(task)
            except RayError as error:
                self._hang_up("the actor died" if isinstance(error, ActorDiedError) else type(error).__name__)

        threading.Thread(target=wait, name="watch a trainer", daemon=True).start()

    def _hang_up(self, why: str) -> None:
        with self._lock, contextlib.suppress(OSError):
            self.ended = self.ended or why
            self._there.close()
        self._gone.set()


@ray.remote(num_cpus=1, max_restarts=0)
class Trainer:
    """An actor that warms up, and then executes one run after another, like a worker of the pool."""

    def __init__(self, manager: Any, name: str, nice: int):
        self._home = _Home(manager, name)
        self._nice = nice

    def begin(self, kind: "Kind") -> None:
        """Warm up, and report that the trainer is ready."""
        os.nice(self._nice)
        import torch

        torch.set_num_threads(1)
        worker.warm_up(kind)
        self._home.send(("ready", os.getpid()))

    def run(self, task: "Task", limits: "Limits", files: dict[str, bytes]) -> None:
        """Train in a folder of this node. Saved files are sent to the manager with the report about them."""
        with tempfile.TemporaryDirectory(prefix="glassformer-run-") as folder:
            for name, data in files.items():
                (Path(folder) / name).write_bytes(data)
            self._home.folder = Path(folder)
            worker._serve(self._home, task, Path(folder), limits)  # type: ignore[arg-type]


class _Home:
    """The connection of a trainer to its manager, as `model.jobs.worker` uses one."""

    def __init__(self, manager: Any, name: str):
        self._manager = manager
        self._name = name
        self._told: list[tuple[Any, ...]] = []
        self.folder = Path()

    def send(self, message: tuple[Any, ...]) -> None:
        files: dict[str, bytes] = {}
        if message[0] == "report" and message[2] is not None:
            file = self.folder / types.moment_file(message[2])
            files[file.name] = file.read_bytes()
            file.unlink()
        elif message[0] == "paused":
            files[worker.STATE] = (self.folder / worker.STATE).read_bytes()
        self._told += ray.get(self._manager.hear.remote(self._name, message, files))

    def poll(self) -> bool:
        return bool(self._told)

    def recv(self) -> tuple[Any, ...]:
        return self._told.pop(0)


def _write(path: Path, data: bytes) -> None:
    """Write a file in one step, so that an interruption leaves no partial file."""
    partial = path.with_suffix(".partial")
    partial.write_bytes(data)
    partial.replace(path)
