"""A module of model/ runs at its first use, once, and no thread sees half of it."""

import subprocess
import sys
from pathlib import Path

from pages.shared.models import models

ROOT = Path(__file__).parents[2]


def run(script: str) -> list[str]:
    """Run a script in a fresh Python; return the words that it prints."""
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not process.returncode, process.stderr[-2000:]
    return process.stdout.split()


def test_importing_a_module_does_not_run_it_and_using_it_does() -> None:
    script = """
import sys, pages
from model.checkpoint import checkpoints
import model.checkpoint.checkpoints
print("torch" in sys.modules)
print(checkpoints.load.__module__, "torch" in sys.modules, end=" ")
print(sys.modules["model.checkpoint.checkpoints"] is checkpoints)
"""
    assert run(script) == ["False", "model.checkpoint.checkpoints", "True", "True"]


def test_every_thread_waits_until_the_module_is_whole(tmp_path: Path) -> None:
    """The module sleeps between two names: a thread that did not wait would find the first and not the second."""
    script = f"""
import sys, threading, time, types
import model, pages
model.__path__.append({str(tmp_path)!r})
from model import slow
found = []
threads = [threading.Thread(target=lambda: found.append(slow.first() + slow.ran)) for _ in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*found)
"""
    (tmp_path / "slow.py").write_text(
        "import time\nran = 0\nran += 1\ndef first(): return second()\ntime.sleep(0.2)\ndef second(): return 1\n"
    )
    assert run(script) == ["2"] * 5


def test_a_module_that_fails_says_so_and_can_be_tried_again(tmp_path: Path) -> None:
    script = f"""
import model, pages
model.__path__.append({str(tmp_path)!r})
from model import bad
for _ in range(2):
    try:
        bad.anything
    except ZeroDivisionError:
        print("failed")
"""
    (tmp_path / "bad.py").write_text("1 / 0\n")
    assert run(script) == ["failed", "failed"]


def test_what_is_cached_is_shared_and_what_is_copied_is_not() -> None:
    @models.cached
    def shared(key: str) -> list[str]:
        return [key]

    @models.cached(copy=True)
    def own(key: str) -> list[str]:
        return [key]

    assert shared("a") is shared("a")
    assert own("a") == own("a")
    assert own("a") is not own("a")
