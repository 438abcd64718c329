"""The client of a class, in node."""

from pathlib import Path

from tests.live.test_frontend import MODULES
from tests.node import run_tests


def test_what_a_student_did_arrives_in_its_order(tmp_path: Path) -> None:
    run_tests([MODULES / "client.test.mjs"], tmp_path)
