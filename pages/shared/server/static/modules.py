"""Brings Streamlit's many small scripts in one file, and starts them from it.

Symptom: the first page asked for 100 scripts, 86 of them small; over a slow connection each costs a turn. A browser
that knows import maps takes a module's text from this file wherever another one imports its address. Which scripts
can travel so is read from the files themselves; all others, and all scripts in browsers without import maps, are
loaded as Streamlit loads them.
Tests: `tests/pages/shared/server/test_first_page.py`, `tests/pages/shared/server/test_browser_first_page.py`.
"""

import hashlib
import json
import re
from functools import cache

from pages.shared.server.static import FILES, STREAMLIT

# Streamlit's scripts of what every page begins with; it would ask for each when the first such element arrives.
_ELEMENTS = ("Html", "ButtonGroup", "Selectbox", "TextInput", "PageLink", "Button", "Checkbox", "BidiComponent")
_SMALL = 25_000  # bytes; a browser keeps larger ones compiled, which it does for files only
_IMPORT = re.compile(r'\b(from|import)"\./([^"]+\.js)"')
_OTHER_IMPORT = re.compile(r"""\bimport\s*[(.'"`]|\bfrom\s*['"`]""")
_START = re.compile(rb'<(?:script type="module"|link rel="modulepreload")[^>]*>(?:</script>)?\s*')
_NAME = "streamlit/"  # before a script's name in the map: an address that needs no server
_LOADER = """{
  const at = new URL(".", document.currentScript.src);
  if (HTMLScriptElement.supports?.("importmap")) {
    const imports = {};
    for (const [name, text] of Object.entries(TEXTS)) {
      const address = text === null ? at + name : URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      imports[`${at}${name}`] = imports[`streamlit/${name}`] = address;
    }
    const map = document.createElement("script");
    map.type = "importmap";
    map.textContent = JSON.stringify({ imports });
    document.currentScript.after(map);
  }
}
"""


@cache
def needed() -> tuple[str, ...]:
    """The scripts of `_ELEMENTS` and all that they and Streamlit's own page import, but the one that starts it."""
    page = (STREAMLIT / "index.html").read_text(encoding="utf-8")
    names = re.findall(r'rel="modulepreload"[^>]*/js/([^"]+)"', page)
    names += [path.name for element in _ELEMENTS for path in (FILES / "js").glob(f"{element}.*.js")]
    for name in names:  # grows while it is read
        imports = (other for _, other in _IMPORT.findall(_text(name)))
        names += [other for other in dict.fromkeys(imports) if other not in names and f"/js/{other}" not in page]
    return tuple(names)


@cache
def carried() -> dict[str, str]:
    """The texts of the small scripts that can travel in one file: by name, with imports that name the map."""
    texts = {name: _text(name) for name in needed()}
    return {
        name: _IMPORT.sub(rf'\1"{_NAME}\2"', text)
        for name, text in texts.items()
        if len(text) < _SMALL and not _OTHER_IMPORT.search(_IMPORT.sub("", text))
    }


@cache
def text() -> str:
    """The file: it makes a module of each text, and a map that leads to them."""
    imported = {other for text in carried().values() for other in re.findall(rf'"{_NAME}([^"]+)"', text)}
    texts: dict[str, str | None] = dict.fromkeys(sorted(imported))
    return _LOADER.replace("TEXTS", json.dumps(texts | carried()), 1)


@cache
def file_name() -> str:
    """Its name."""
    return f"first.{hashlib.sha256(text().encode()).hexdigest()[:8]}.js"


def with_one_file(page: bytes) -> bytes:
    """Streamlit's HTML, with all that starts scripts behind ours in the body: a map has to come before them."""
    starts = b"".join(_START.findall(page))
    if b"<script" not in starts:
        return page
    kept = b"".join(each for each in _START.findall(page) if b"<script" in each)
    ahead = (other for other in needed() if other not in carried())
    links = "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{other}">' for other in ahead)
    ours = f'<script src="./static/js/{file_name()}"></script>{links}'.encode()
    return _START.sub(b"", page).replace(b"<body>", b"<body>" + ours + kept, 1)


def _text(name: str) -> str:
    return (FILES / "js" / name).read_text(encoding="utf-8")
