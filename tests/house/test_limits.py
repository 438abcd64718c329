"""Limits that a file of settings has to repeat."""

import tomllib

from model.upload import upload_check
from tests.samples import ROOT


def test_the_server_takes_as_large_an_upload_as_the_app_reads() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["maxUploadSize"] * 2**20 == upload_check.LIMITS.archive.packed
