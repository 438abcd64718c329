"""A config that leaves out what has a default, as a stranger's file may: every page shows the model."""

import json
import shutil
from pathlib import Path

import pytest

from model.config import TransformerConfig
from tests.app import READING_PAGES, said, sentence, visit
from tests.samples import SAMPLES

pytestmark = pytest.mark.usefixtures("warm")

MODELS = ("reverse", "spread", "mini-encoder")  # of each architecture one


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoints")
    for name in MODELS:
        shutil.copytree(SAMPLES / name, folder / name)
        path = folder / name / "config.json"
        fields = json.loads(path.read_text(encoding="utf-8"))
        needed = {key: value for key, value in fields.items() if value != getattr(TransformerConfig, key)}
        path.write_text(json.dumps(needed), encoding="utf-8")
    return folder


@pytest.mark.sample(4)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("page", READING_PAGES)
def test_a_page_shows_a_model_whose_config_leaves_out_defaults(
    page: str, model: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))
    app = visit(page, checkpoint=model)
    assert sentence("en", "notice.unforeseen") not in "".join(said(app))
    assert app.query_params["checkpoint"] in (model, [model])
