"""Streamlit's fonts in small: the letters of Latin languages, and the icons that Streamlit's own pages have.

Symptom: 640 kB of the first page were fonts: 375 for one icon, the rest letters of all languages, loaded also for a
character that no font of Streamlit's has. Here each font of letters is two, the small one and the whole one for what
only that has (`unicode-range`). They take the place of Streamlit's: a browser that is asked for a font loads all of
its name. An icon is a word that the font draws as one sign, so that all icons which Streamlit names have to be there.
With another version of Streamlit, whose fonts or icons are others, nothing is changed.

`scripts/subset_fonts.py` makes the files. Tests: `tests/pages/shared/server/test_first_page.py`.
"""

import re
from functools import cache

from pages.shared.server.static import FILES, FONTS

_ICON = re.compile(r":material/([a-z0-9_]+)")
_WHOLE = re.compile(r"\./static/(media/[^)]+)")
_PRELOAD = re.compile(rb'<link\s[^>]*?rel="preload"[^>]*?as="font"[^>]*>')
_REPLACE = """<script>{
  const families = [...document.getElementById("gf-fonts").sheet.cssRules].map((rule) => rule.style.fontFamily);
  const whole = (rule) => rule instanceof CSSFontFaceRule && rule.style.fontStyle !== "italic";
  for (const sheet of [...document.styleSheets].filter((sheet) => sheet.href)) {
    for (let at = sheet.cssRules.length - 1; at >= 0; at--) {
      const rule = sheet.cssRules[at];
      if (whole(rule) && families.includes(rule.style.fontFamily)) sheet.deleteRule(at);
    }
  }
}</script>"""


def icons_of_streamlit() -> set[str]:
    """Every icon that Streamlit's scripts name."""
    scripts = (FILES / "js").glob("*.js")
    return {name for script in scripts for name in _ICON.findall(script.read_text(encoding="utf-8"))}


@cache
def fit() -> bool:
    """Whether the small fonts are of this version of Streamlit."""
    whole = (FILES / name for name in _WHOLE.findall(_read("fonts.css")))
    return all(file.is_file() for file in whole) and icons_of_streamlit() <= set(_read("icons.txt").split())


def with_small_fonts(page: bytes) -> bytes:
    """Streamlit's HTML with the small fonts."""
    if not fit():
        return page
    (sans,) = FONTS.glob("sans.*.woff2")
    link = f'<link rel="preload" href="./static/fonts/{sans.name}" as="font" type="font/woff2" crossorigin>'
    page = _PRELOAD.sub(link.encode(), page, count=1)
    page = page.replace(b"</head>", f'<style id="gf-fonts">{_read("fonts.css")}</style></head>'.encode(), 1)
    return page.replace(b"<body>", b"<body>" + _REPLACE.encode(), 1)


@cache
def _read(name: str) -> str:
    return (FONTS / name).read_text(encoding="utf-8")
