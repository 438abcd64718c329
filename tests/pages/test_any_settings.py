"""Links with settings at random, such as nobody would make: each page opens, and says what it cannot have."""

import json
import random
from pathlib import Path

import pytest

from model import presets
from model.checkpoint import catalogue
from pages.shared.session import page_list
from tests.app import PAGES, inside, sentence, visit

pytestmark = pytest.mark.usefixtures("warm")

RUNS = 18  # of a page
MODELS = ("de-en", "zh-en", "reverse", "gpt-char", "mini-encoder", "notebook-c", "modular", "forecast", "gone", "my-x")
ODD = (
    "", " ", "0", "-1", "1", "3", "999999999999", "1e999", "nan", "-inf", "0.5", "٣", "१", "²", "true", "x", "en", "zh",
    "de-en", "my-x", "untrained-", "../../etc", "encoder.0.self_attention", "decoder.1.0", "encoder,0,0", "cross",
    "0,1", "1,1,1", ",", ";", ":", "#", "<b>x</b>", "![x](http://e.example/x)", "$x^2$", "{0}", "%s", "\\", "a|b~c",
    "\x00", "\ufffd" * 3, "\u202e", "\ufffe", "👩‍👩‍👧", "ﷺ" * 40, "x" * 501, "題" * 400, '{"a": [', "[]", "null",
)  # fmt: skip
SENTENCES = (
    None, "Wo ist das Buch?", "abc", "a", "12+34=", "\u200b", "\x07", "x" * 1200, "ja " * 149, "<b>x</b>", "\ufffd",
)  # fmt: skip
LARGE = ("paper", "bert", "gpt", "t5")  # untrained models that take long


def value(rng: random.Random, words: list[str]) -> str:
    """A value of any kind: odd ones, those that pages have for something, several of them, and numbers."""
    kinds = (
        lambda: rng.choice(ODD), lambda: rng.choice(words), lambda: str(rng.randint(-2, 12)),
        lambda: rng.choice(",.:~ ").join(rng.choice(words) for _ in range(rng.randint(2, 4))),
        lambda: f"{rng.uniform(-2, 12):.3g}",
    )  # fmt: skip
    return rng.choice(kinds)()


def link(page: str, run: int) -> dict[str, str]:
    """The parameters of a link."""
    rng = random.Random(f"{page} {run}")
    names = page_list.pages()[page].settings.split()
    own_words = [*names, *page_list.pages(), *presets.PRESETS, "encoder", "decoder", "cross", "hand", "own", "other"]
    words = [*own_words, *(word for path in page_list.folder_of(page).glob("words/en.toml") for word in _keys(path))]
    chosen = rng.sample(names, rng.randint(0, min(len(names), 6)))
    link = {name: value(rng, words) for name in chosen}
    models = [*MODELS, *(f"{catalogue.UNTRAINED}{name}" for name in presets.PRESETS if name not in LARGE)]
    link |= {"checkpoint": rng.choice(models)} if rng.random() < 0.7 else {}
    text = rng.choice(SENTENCES)
    link |= {"sentence": text} if text is not None else {}
    shared = {"layer": "0", "head": "1", "attention_kind": "cross", "seed": "3", "language": "es"}
    for name in rng.sample(list(shared), rng.randint(0, 2)):
        link[name] = rng.choice((shared[name], value(rng, words)))
    link |= {value(rng, words) or "x": value(rng, words)} if rng.random() < 0.3 else {}
    return link


def _keys(path: Path) -> list[str]:
    """What the keys of a page's texts end with: most are named after a value of a setting."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.partition(" = ")[0].rpartition("_")[2] for line in lines if " = " in line]


@pytest.mark.sample(40)
@pytest.mark.parametrize("run", range(RUNS))
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_any_settings(page: str, run: int) -> None:
    settings = link(page, run)
    app = visit(page, **{"language": "en"} | settings)
    for language in ("en", "zh", "es"):
        said = inside(app, "notice_")
        assert sentence(language, "notice.unforeseen") not in said, json.dumps(settings)
