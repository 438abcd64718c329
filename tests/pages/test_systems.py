"""Every system opens untrained on the pages, shows what it has, and says what it lacks."""

import pytest
from streamlit.testing.v1 import AppTest

from model import presets
from model.checkpoint import catalogue
from pages.shared.text.words import all_texts
from tests.samples import ROOT

EN = all_texts("en")
NAMES = [name for name, preset in presets.PRESETS.items() if preset.config.inputs == "tokens"]


def opened(page: str, name: str, seed: int = 0) -> AppTest:
    app = AppTest.from_file(str(ROOT / "pages" / "shell.py"), default_timeout=60)
    app.query_params["checkpoint"] = f"{catalogue.UNTRAINED}{name}"
    app.query_params["seed"] = str(seed)
    app.run()
    if page != "start":
        app.switch_page(f"{page}/page.py").run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    return " ".join(str(element.value) for element in [*app.caption, *app.text])


@pytest.mark.sample(2)
@pytest.mark.parametrize("page", ["start", "attention"])
@pytest.mark.parametrize("name", NAMES)
def test_a_system_shows_what_it_has(name: str, page: str) -> None:
    config = presets.find(name).config
    app = opened(page, name)
    assert app.selectbox(key="checkpoint").value == f"{catalogue.UNTRAINED}{name}"
    layers = config.decoder_layers or config.encoder_layers
    if page == "attention":
        assert app.segmented_control(key="layer").options == [str(layer) for layer in range(layers)]
        assert app.segmented_control(key="head").options == [str(head) for head in range(config.heads)]
    lacks = EN.get(f"explain.{config.architecture}")
    assert (lacks in said(app)) if lacks else True


def test_the_seed_changes_the_output() -> None:
    first, other = (said(opened("start", "gpt", seed)) for seed in (0, 1))
    assert EN["explain.untrained"].format(seed=1) in other
    assert first.replace("seed 0", "") != other.replace("seed 1", "")
