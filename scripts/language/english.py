"""Every English text, with the folder that it is in and where on a page it stands."""

import ast
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from viz.languages import APP, FIRST, blanks, files

ROOT = Path(__file__).parents[2]
# where a text stands, by its key -> the place, and how many letters it has room for (0: it wraps)
_BY_KEY = {
    r"pages\..+": ("the list of pages, and the window's title", 26),
    r"sections\..+": ("a heading of the list of pages", 26),
    r"\w+\.view_\w+|(attention|decoding)_view\.\w+": ("a tab", 30),
    r"(?!quiz_)\w+\.question": ("the heading of the page", 0),
    r"\w+\.lead": ("below the heading of the page", 0),
    r"\w+\.tour_\w+|\w+_tour\.\w+": ("a stop of the tour", 0),
    r"\w+\.try_\w+|\w+_try\.\w+": ("a button, a step to try", 75),
    r"term_.+\.aliases": ("other names of a term, with commas between them; the search finds it by them", 0),
    r"term_.+": ("the glossary", 0),
    r"notice\..+": ("a notice", 0),
    r"refused\..+": ("an error that a user can mend", 0),
    r"streamlit\..+": ("a label of Streamlit's", 0),
    r"lesson_.+": ("a lesson", 0),
    r"live.*|unit.*": ("a live page or a unit of a learning platform", 0),
}
_BY_CALL = {
    "button": ("a button", 45), "form_submit_button": ("a button", 45), "link_button": ("a button", 45),
    "page_link": ("a link", 60), "caption": ("a small text", 0), "header": ("a heading", 0),
    "subheader": ("a heading", 0), "say": ("a notice", 0), "choice": ("a choice and its label", 45),
    "selectbox": ("a label", 60), "text_input": ("a label", 60), "number_input": ("a label", 60),
    "slider": ("a label", 60), "select_slider": ("a label", 60), "toggle": ("a label", 60),
    "checkbox": ("a label", 60), "text_area": ("a label", 60), "file_uploader": ("a label", 60),
    "expander": ("a heading", 60),
}  # fmt: skip
_TABLE = ("in a figure, a table or a list", 0)


@dataclass(frozen=True)
class Text:
    """An English text."""

    key: str  # table.key
    text: str
    folder: Path  # that it is in, and its translation too
    place: str  # where it stands
    letters: int  # that it has room for; 0: any number

    @property
    def blanks(self) -> list[str]:
        """The placeholders that the app fills in."""
        return blanks(self.text)


@cache
def texts() -> dict[str, Text]:
    """All of them by key, in the order of the files."""
    found = {}
    for file in files(FIRST, "live/words", *APP):
        for table, entries in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for key, text in entries.items():
                place, letters = _place(f"{table}.{key}")
                found[f"{table}.{key}"] = Text(f"{table}.{key}", text, file.parent.relative_to(ROOT), place, letters)
    return found


def _place(key: str) -> tuple[str, int]:
    by_key = next((place for pattern, place in _BY_KEY.items() if re.fullmatch(pattern, key)), None)
    exact, patterns, tables = _calls()
    by_call = exact.get(key) or next((place for pattern, place in patterns if pattern.fullmatch(key)), None)
    return by_key or by_call or (_TABLE if key.split(".")[0] in tables else ("a text", 0))


Places = dict[str, tuple[str, int]]


@cache
def _calls() -> tuple[Places, list[tuple[re.Pattern[str], tuple[str, int]]], set[str]]:
    """What the code of the pages asks for: keys with their places, patterns of keys with theirs, and whole tables."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted((ROOT / "pages").rglob("*.py"))]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    exact: Places = {}
    patterns: Places = {}
    for call in calls:
        if place := _BY_CALL.get(_name(call.func)):
            for key in (each.args[0] for argument in call.args for each in _words(argument) if each.args):
                if isinstance(key, ast.Constant):
                    exact[str(key.value)] = place
                elif isinstance(key, ast.JoinedStr):
                    patterns[_pattern(key)] = place
    sections = (call.args[0] for call in calls if _name(call.func) == "section" and call.args)
    tables = {str(table.value) for table in sections if isinstance(table, ast.Constant)}
    return exact, [(re.compile(pattern), place) for pattern, place in patterns.items()], tables


def _words(node: ast.AST) -> list[ast.Call]:
    return [each for each in ast.walk(node) if isinstance(each, ast.Call) and _name(each.func) == "words"]


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _pattern(key: ast.JoinedStr) -> str:
    """`f"topics.{topic}"` as an expression that its keys match."""
    parts = (re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[\w-]+" for part in key.values)
    return "".join(parts)
