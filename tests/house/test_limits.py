"""Limits that a file of settings or a script has to repeat."""

import re
import tomllib

import pytest

from classroom import limits
from model.predict.prediction import NONE
from model.upload import upload_check
from tests.samples import ROOT
from viz.components.classroom import board
from viz.figures import paths

REPEATED = {
    "live/frontend/lessons/measures.js NO_CHANGE": NONE,
    "live/frontend/page/class_curve.js MOST_POINTS": limits.POINTS,
    "live/frontend/page/class_panel.js SHOWN_TOKENS": board.TOKENS,
    "viz/frontend/paths/layout.js LINE": paths.LINE,
}


def test_the_server_takes_as_large_an_upload_as_the_app_reads() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["maxUploadSize"] * 2**20 == upload_check.LIMITS.archive.packed


@pytest.mark.parametrize("constant", REPEATED)
def test_a_script_has_the_value_of_the_module_that_it_names(constant: str) -> None:
    file, name = constant.split()
    found = re.search(rf'^const {name} = "?(\w+)"?; // .*\.py', (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    assert found[1] == str(REPEATED[constant])
