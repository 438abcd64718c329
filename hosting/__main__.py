"""`python -m hosting`: one process of the app for each core behind HAProxy, each started again when it ends."""

import argparse
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from pathlib import Path

from classroom import database
from hosting.ports import free_ports
from hosting.processes import Processes
from hosting.proxy import configuration, health_path
from model import device
from model.jobs import siblings
from pages.admin import access
from pages.shared.load import made_once, workers


def main() -> int:
    """Run until it is told to stop."""
    parser = argparse.ArgumentParser(prog="python -m hosting", description=__doc__)
    parser.add_argument("--port", type=int, default=8501, help="where the class opens the app")
    parser.add_argument("--address", default="*", help="of this machine; * stands for all")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="one for each core by default")
    parser.add_argument("--certificate", type=Path, help="a PEM file with certificate and key: then it speaks https")
    parser.add_argument("--base", default="", help="path below which the app stands, as server.baseUrlPath")
    options = parser.parse_args()
    proxy = shutil.which("haproxy") or "/usr/sbin/haproxy"
    if not Path(proxy).exists():
        print("HAProxy is not installed: install it with your system's packages (Debian: apt install haproxy).")
        return 1
    if options.certificate and not options.certificate.is_file():
        print(f"There is no file {options.certificate}: name a PEM file with certificate and key.")
        return 1
    os.environ.setdefault(database.VARIABLE, f"sqlite:///{database.default_file(str(options.port))}")
    os.environ.setdefault("GLASSFORMER_WORKERS", "1")
    if options.processes >= (os.cpu_count() or 1):  # each core draws pages already
        os.environ.setdefault(workers.VARIABLE, "0")
    os.environ[access.VARIABLE] = os.environ.get(access.VARIABLE, "").strip() or secrets.token_hex(16)
    try:
        access.token()
        device.check()
    except ValueError as error:
        print(error)
        return 1
    end = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    with tempfile.TemporaryDirectory(prefix="glassformer-class-") as folder:
        ports = free_ports(options.processes, options.port)
        os.environ[siblings.VARIABLE] = " ".join(map(str, ports))  # runs are named by their ports
        os.environ[made_once.VARIABLE] = folder
        file = Path(folder) / "haproxy.cfg"
        file.write_text(configuration(options.address, options.port, ports, options.certificate, options.base))
        commands = [_app(port, options.base) for port in ports] + [[proxy, "-db", "-f", str(file)]]
        with Processes(commands) as processes:
            health = f"http://127.0.0.1:{{}}{health_path(options.base)}"
            processes.watch(end, lambda: _ready(options, len(ports)), health, ports)
    return 0


def _app(port: int, base: str) -> list[str]:
    return [
        sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port),
        "--server.address", "127.0.0.1", "--server.baseUrlPath", base,
    ]  # fmt: skip


def _ready(options: argparse.Namespace, count: int) -> None:
    scheme = "https" if options.certificate else "http"
    at = f"{scheme}://localhost:{options.port}"
    below = f"/{options.base.strip('/')}" if options.base.strip("/") else ""
    print(f"\n  A class of Glassformer: {count} processes at {at}{below}", flush=True)
    print(f"  How busy they are: {at}{below}/admin with the token {access.token()}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
