"""Tests of JavaScript modules, run by the node that Playwright ships."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import playwright

NODE = Path(playwright.__file__).parent / "driver" / "node"


def run_tests(files: Iterable[Path], cases: Path) -> None:
    """Run `*.test.mjs` files, which find what Python computed for them in the folder that the variable CASES names."""
    command = [str(NODE), "--test", "--test-isolation=none", "--test-reporter=dot", *sorted(map(str, files))]
    process = subprocess.run(command, env=os.environ | {"CASES": str(cases)}, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
