"""The files of a language: every text with its English, to fill in. What is translated stays as it is."""

import json
import re
import tomllib
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from scripts.language.english import Text, texts

LANGUAGE = """# What the language is called in itself, and in a few letters.
name = "{code}"
short = "{short}"
# In HTML, if it is another one than the file's name: tag = "pt-BR"
# "rtl" if it is written from right to left.
direction = "ltr"
# false if there is no space between words, as in Chinese.
spaces = true
# true, once most texts are there: browsers that ask for the language then get it unasked.
preferred = false
# true, once no text is missing and none ever should be.
complete = false
"""
HEAD = """# Fill in the text between the quotes; an empty one stands in English on the page.
# Keep what is in {braces}, and the marks [[term]], [[term|other words]], **bold**, `code` and $formula$.
"""


def write(code: str, tree: Path) -> str:
    """Make the files of a language in a tree, or add to them what English has since; a sentence about what was done."""
    declared = tree / "viz" / "languages" / f"{code}.toml"
    if not declared.is_file():
        declared.parent.mkdir(parents=True, exist_ok=True)
        declared.write_text(LANGUAGE.format(code=code, short=code.upper()), encoding="utf-8")
    there = keys(code, tree)
    new = [text for text in texts().values() if text.key not in there]
    for folder, group in groupby(new, key=lambda text: text.folder):
        (tree / folder).mkdir(parents=True, exist_ok=True)
        _add(tree / folder / f"{code}.toml", group)
    return f"{tree}: {len(new)} texts to translate were added, {len(there)} were there."


def keys(code: str, tree: Path) -> set[str]:
    """The keys in all files of a language, also those of empty texts."""
    files = [tree / folder / f"{code}.toml" for folder in {text.folder for text in texts().values()}]
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]
    return {f"{table}.{key}" for content in tables for table, entries in content.items() for key in entries}


def _add(file: Path, new: Iterable[Text]) -> None:
    """Put texts at the end of their tables, and new tables at the end of the file."""
    content = file.read_text(encoding="utf-8") if file.is_file() else HEAD
    for table, group in groupby(new, key=lambda text: text.key.split(".")[0]):
        entries = "".join(map(entry, group))
        head = re.search(rf"^\[{re.escape(table)}\]$", content, re.MULTILINE)
        if head is None:
            content = f"{content.rstrip()}\n\n[{table}]\n{entries}"
        else:
            following = re.compile(r"^\[", re.MULTILINE).search(content, head.end())
            end = following.start() if following else len(content)
            content = f"{content[:end].rstrip()}\n{entries}{'' if following is None else chr(10)}{content[end:]}"
    file.write_text(content, encoding="utf-8")


def entry(text: Text) -> str:
    """An empty text, its English and its context in comments before it."""
    english = "\n#    ".join(text.text.splitlines())
    context = [text.place, *([f"at most {text.letters} letters"] if text.letters else [])]
    context += [f"{{{name}}}" for name in text.blanks]
    key = text.key.split(".", 1)[1]
    spelled = key if re.fullmatch(r"[\w-]+", key) else json.dumps(key)
    return f'#. {" · ".join(context)}\n#  {english}\n{spelled} = ""\n'
