"""All pages in a language that no person wrote: what is still in English there did not go through the texts."""

import html
import json
import re
from collections.abc import Iterator

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from pages.shared.session import language_choice
from scripts.compare_views import SHOWS, each
from tests.app import CARD, PAGES, visit
from tests.languages.pseudo import CODE

pytestmark = pytest.mark.usefixtures("right_to_left", "warm")
# fields of Streamlit's messages that a user reads
READ = {"label", "body", "placeholder", "help", "options", "content", "caption", "title"}
UNREAD = r"<(style|script|code|pre)\b.*?</\1>|<i (?:class=.gf-(?:english|tokens).*?|lang=.en.>.*?)</i>|<!--.*?-->"
# sentences, their words and marks of tokens: what models read and write
DATA = {
    "": "Glassformer bos eos pad unk " + " ".join([*CARD["examples"], CARD["example_translation"]]),
    "masks": "Gibt Hilfe The air book man reading there",
    "why": "The Your cinema coming family hall place play pub shall understand",
    "layers": "cho",
    "data": "Ball Can Das German Ich India Indien Max Monday Schwimmbad Sie That The Wei Where and are argue auf "
    "ball bin book class crying dass den der for have help hoffe hope ich know lernt looking man pool "
    "reading sie sind sit streite studies suchen swimming that the they tidy ume und warum wei weint "
    "where why wir you",
    "circuits": "Abend Geburtstag Hast Linie Lust Spa Warum Wenn Wetter brauchen einen einmal gern gesehen hat hrt "
    "kommt macht mit nimmt noch rde schon viel",
    "embedding": "Kinokarte",
    "decoding": "Today",
    "compare": "intern",
}


def read(app: AppTest) -> Iterator[str]:
    """Every text on the page: of Streamlit's elements, of HTML, and the titles of charts."""
    for element in app._tree:
        proto = getattr(element, "proto", None)
        fields = MessageToDict(proto) if hasattr(proto, "DESCRIPTOR") else {}
        if element.type == "html":
            markup = re.sub(UNREAD, " ", fields.get("body", ""), flags=re.DOTALL)
            texts = re.findall(r'(?:title|aria-label|alt|data-text)="([^"]*)"', markup) + re.split(r"<[^>]*>", markup)
            yield from map(html.unescape, texts)
        elif "spec" in fields:
            yield from _titles(json.loads(fields["spec"]))
        elif element.type != "code":
            yield from _strings(fields)


def _titles(spec: object) -> Iterator[str]:
    if isinstance(spec, dict):
        for key, value in spec.items():
            if key in ("title", "description") and isinstance(value, str):
                yield value
            else:
                yield from _titles(value)
    elif isinstance(spec, list):
        for each in spec:
            yield from _titles(each)


def _strings(fields: object, name: str = "") -> Iterator[str]:
    if isinstance(fields, dict):
        for key, value in fields.items():
            yield from _strings(value, key)
    elif isinstance(fields, list):
        for each in fields:
            yield from _strings(each, name)
    elif isinstance(fields, str) and name in READ:
        yield fields


def english(app: AppTest, page: str) -> set[str]:
    """The texts with a word that is neither of the pseudo-language nor data, a name, a formula or a file."""
    names = sorted([*catalogue.entries(), *language_choice.names().values()], key=len, reverse=True)
    data = {word for each in ("", page) for word in re.findall(r"[^\W\d]+", DATA.get(each, ""))}
    forms = r"\{\w+\}", r"\$\$.*?\$\$", r"\$[^$]*\$", r"`[^`]*`", r":\w+\[", r"[\w-]+\.(?:html|png|svg|csv|zip)"
    forms += (r"\b(?:encoder|decoder|cross)\.[\w.]+",)  # recorded names
    kept = re.compile("|".join([*forms, *map(re.escape, names)]), re.DOTALL)
    words_of = {text.strip(): kept.sub(" ", text.replace("\\", "")) for text in read(app)}
    return {text for text, words in words_of.items() if set(re.findall(r"[A-Za-zé]{3,}", words)) - data}


@pytest.mark.sample(4)
@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_an_english_text(page: str) -> None:
    app = visit(page, CODE, checkpoint="de-en")
    assert any(re.search("[א-ת]{3}", text) for text in read(app))
    assert english(app, page) == set()


# tabs that show words of many sentences, names of values, settings or files, or formulas in letters
OF_DATA = {
    "vectors", "position", "writing", "learning", "merges", "odd", "arithmetic", "longer", "cell", "context", "inside",
    "beam", "sentence", "steer", "corpus", "word", "rules", "train", "config", "series", "knows", "scores", "query",
    "nowhere",
}  # fmt: skip
TABS = [(page, *tab.split("=")) for page, tabs in SHOWS.items() if page in PAGES for tab in each(tabs)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("page", "setting", "value"), [tab for tab in TABS if tab[2] not in OF_DATA and tab[0] != "quiz"]
)
def test_no_tab_has_an_english_text(page: str, setting: str, value: str) -> None:
    assert english(visit(page, CODE, checkpoint="de-en", **{setting: value}), page) == set()
