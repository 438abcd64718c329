"""The server of the tests: one that never says what is waited for fails in time, with what it said."""

import subprocess
import sys

import pytest

from tests.server import until_it_says


def started(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-uc", code], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("then", ["import time; time.sleep(600)", ""], ids=["hangs", "ends"])
def test_a_server_that_does_not_name_its_address_fails(then: str) -> None:
    process = started(f"print('almost'); {then}")
    with pytest.raises(pytest.fail.Exception, match="almost"):
        until_it_says(process, "ready", limit=3)
    process.kill()
    process.communicate()
