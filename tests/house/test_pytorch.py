"""Which build of PyTorch `scripts/pytorch.sh` asks pip for; pip and the driver's program are recorders."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INDEX = "https://index.example/cpu"
PYTHON = """#!/bin/sh
[ "$1" = -m ] || exit 0
echo "$@" >> {log}
case "$*" in *--index-url*) exit {answer} ;; esac
"""


def asked(tmp_path: Path, *, driver: bool = False, answers: bool = True, system: str = "Linux", torch: str = "") -> str:
    """What the script did: each pip call as a word, `cpu` (PyTorch's index) or `pip`; or its error."""
    programs = {
        "python": PYTHON.format(log=tmp_path / "log", answer=0 if answers else 1),
        "nvidia-smi": f"#!/bin/sh\nexit {0 if driver else 9}\n",
        "uname": f"#!/bin/sh\necho {system}\n",
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "TORCH": torch, "TORCH_CPU": INDEX}
    script = ["sh", str(ROOT / "scripts" / "pytorch.sh"), "python"]
    done = subprocess.run(script, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    calls = (tmp_path / "log").read_text().splitlines()
    assert all(re.search(r" torch==[\d.]+$", call) for call in calls)  # as requirements.txt has it
    return " ".join("cpu" if INDEX in call else "pip" for call in calls)


def test_without_a_driver_the_cpu_index_is_asked_first_and_pip_brings_what_it_needs(tmp_path: Path) -> None:
    assert asked(tmp_path) == "cpu pip"


def test_an_index_that_does_not_answer_is_asked_once(tmp_path: Path) -> None:
    assert asked(tmp_path, answers=False) == "cpu pip"


@pytest.mark.parametrize("choice", [{"driver": True}, {"torch": "cuda"}, {"system": "Darwin"}])
def test_with_a_driver_by_choice_or_on_a_mac_pip_decides(tmp_path: Path, choice: dict[str, str]) -> None:
    assert asked(tmp_path, **choice) == "pip"  # type: ignore[arg-type]


def test_a_choice_comes_before_the_driver(tmp_path: Path) -> None:
    assert asked(tmp_path, driver=True, torch="cpu") == "cpu pip"


def test_another_word_is_one_sentence(tmp_path: Path) -> None:
    assert asked(tmp_path, torch="gpu") == 'TORCH is "gpu": write TORCH=cpu or TORCH=cuda.\n'
