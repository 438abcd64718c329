"""All pages in a language that no person wrote: what is still in English there did not go through the texts."""

import html
import json
import re
from collections.abc import Iterator

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from tests.app import PAGES, visit
from tests.languages.pseudo import CODE

pytestmark = pytest.mark.usefixtures("right_to_left", "warm")
# fields of Streamlit's messages that a user reads
READ = {"label", "body", "placeholder", "help", "options", "content", "caption", "title"}


def read(app: AppTest) -> Iterator[str]:
    """Every text on the page: of Streamlit's elements, of HTML, and the titles of charts."""
    for element in app._tree:
        proto = getattr(element, "proto", None)
        fields = MessageToDict(proto) if hasattr(proto, "DESCRIPTOR") else {}
        if element.type == "html":
            markup = re.sub(
                r"<(style|script)\b.*?</\1>|<i class=.gf-(english|tokens).*?</i>",
                " ",
                fields.get("body", ""),
                flags=re.S,
            )
            yield from (
                html.unescape(text) for text in re.findall(r'(?:title|aria-label|alt|data-text)="([^"]*)"', markup)
            )
            yield from (html.unescape(text) for text in re.split(r"<[^>]*>", markup))
        elif "spec" in fields:
            yield from _titles(json.loads(fields["spec"]))
        else:
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


@pytest.mark.parametrize("page", PAGES)
def test_probe(page: str) -> None:
    app = visit(page, CODE, checkpoint="de-en")
    out = sorted({t.strip() for t in read(app) if re.search(r"[A-Za-z]{4,}", re.sub(r"\$[^$]*\$|`[^`]*`", "", t))})
    print("\n=====", page, len(out))
    print("\n".join("  " + o[:160] for o in out))
