"""Makes pages/shared/server/static/added/fonts/ from Streamlit's fonts: letters of Latin languages, and its icons.

`pip install fonttools brotli`, then `python -m scripts.subset_fonts`. Only maintainers run it, to take up a new
version of Streamlit; users get the files as they are. The licence of the letters keeps the name "Source" for the whole
fonts, so that the small ones are named otherwise.
"""

import hashlib
import io
from itertools import groupby
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from pages.shared.server.static import FILES, FONTS
from pages.shared.server.static.fonts import icons_of_streamlit

# letters of Latin languages and marks, Greek ones of formulas, and the arrows and signs of our texts and figures
LATIN = """U+0020-007E U+00A0-017F U+0300-0304 U+0308 U+030A-030C U+0327-0328 U+0391-03A9 U+03B1-03C9 U+1D40 U+1E9E
U+2002-200B U+2010-2027 U+202F-203A U+2044 U+2070-208E U+20AC U+2113 U+2122 U+2190-2199 U+21A9 U+2202 U+2211-2212
U+221A U+221E U+2248 U+2260-2265 U+2581 U+25A0-25A1 U+25B2 U+25BC U+2713 U+2717 U+27E8-27E9"""
LETTERS = {"sans": ("SourceSansVF-Upright", "Source Sans"), "code": ("SourceCodeVF-Upright", "Source Code Pro")}
NAMES = (1, 3, 4, 6, 16, 25)  # entries of a font that hold its name


def main() -> None:
    """Write the fonts, each with the hash of its content in its name, since browsers keep it for a year."""
    FONTS.mkdir(exist_ok=True)
    for old in FONTS.glob("*.woff2"):
        old.unlink()
    icons = icons_of_streamlit()
    (FONTS / "icons.txt").write_text("\n".join(sorted(icons)) + "\n", encoding="utf-8")
    faces = [*(face for name, source in LETTERS.items() for face in _letters(name, *source)), _icons(icons)]
    (FONTS / "fonts.css").write_text("".join(faces), encoding="utf-8")


def _letters(name: str, source: str, family: str) -> list[str]:
    """The small font, and the whole one for what only that has."""
    whole, font = _whole(source), TTFont(_whole(source), recalcTimestamp=False)
    all_codes = set(font.getBestCmap())
    _cut(font, unicodes=subset.parse_unicodes(",".join(LATIN.split())))
    for record in font["name"].names:
        if record.nameID in NAMES:
            record.string = f"Glassformer {name}"
    codes = set(font.getBestCmap())
    small = _face(family, "100 900", "swap", f"fonts/{_save(font, name)}", codes)
    return [small, _face(family, "100 900", "swap", f"media/{whole.name}", all_codes - codes)]


def _icons(icons: set[str]) -> str:
    font = TTFont(_whole("MaterialSymbols-Rounded"), recalcTimestamp=False)
    letter = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in (outer.ExtSubTable for outer in lookup.SubTable):
            for first, words in table.ligatures.items():
                spelled = ("".join(letter[glyph] for glyph in (first, *word.Component)) for word in words)
                table.ligatures[first] = [word for word, name in zip(words, spelled, strict=True) if name in icons]
    _cut(font, text="".join(icons))
    return _face("Material Symbols Rounded", "400", "block", f"fonts/{_save(font, 'icons')}", set())


def _whole(source: str) -> Path:
    (file,) = (FILES / "media").glob(f"{source}.*.woff2")
    return file


def _cut(font: TTFont, **wanted: object) -> None:
    maker = subset.Subsetter(subset.Options(layout_features=["*"], notdef_outline=True, name_IDs=["*"]))
    maker.populate(**wanted)
    maker.subset(font)


def _save(font: TTFont, name: str) -> str:
    font.flavor = "woff2"
    content = io.BytesIO()
    font.save(content)
    file = FONTS / f"{name}.{hashlib.sha256(content.getvalue()).hexdigest()[:8]}.woff2"
    file.write_bytes(content.getvalue())
    return file.name


def _face(family: str, weight: str, display: str, file: str, codes: set[int]) -> str:
    rules = f'font-family: "{family}"; font-weight: {weight}; font-style: normal; font-display: {display};'
    ranges = f" unicode-range: {_ranges(sorted(codes))};" if codes else ""
    return f'@font-face {{ {rules} src: url(./static/{file}) format("woff2");{ranges} }}\n'


def _ranges(codes: list[int]) -> str:
    runs = (list(run) for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    ends = ((run[0][1], run[-1][1]) for run in runs)
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in ends)


if __name__ == "__main__":
    main()
