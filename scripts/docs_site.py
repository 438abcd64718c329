"""Hooks of mkdocs.yml: files from outside of docs/, and a language for each page.

One build makes all languages: pages below guide/zh/ get Chinese labels, pages outside of guide/ English ones. The guide
is in the languages that have a folder in it.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import rjieba
from material.plugins.search import plugin as search
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
ADDED = {  # address in the site: the file in the repository
    "contributing.md": "CONTRIBUTING.md",
    "assets/logo.svg": "pages/shared/ui/frontend/logo.svg",
}
FIRST = "en"  # of all pages outside of guide/
LANGUAGES = sorted(folder.name for folder in (ROOT / "docs/guide").iterdir())
NAMES = {
    language: tomllib.loads((ROOT / f"viz/languages/{language}.toml").read_text(encoding="utf-8"))["name"]
    for language in LANGUAGES
}
HOMES = {language: f"guide/{language}/index.html" for language in LANGUAGES} | {FIRST: "index.html"}
NOTEBOOK = "notebook.md"


class Segmenter:
    """Stand-in for the package jieba in material's search, by rjieba, which is smaller and which the app uses too."""

    def cut(self, text: bytes) -> list[str]:
        return rjieba.cut(text.decode())


search.jieba = Segmenter()


def on_config(config: MkDocsConfig) -> None:
    """Give the notebook's page a place in the navigation, if there is one."""
    section = next(item["Data and models"] for item in config.nav or [] if "Data and models" in item)
    if (Path(config.docs_dir) / NOTEBOOK).exists() and NOTEBOOK not in section:
        section.insert(0, NOTEBOOK)


def on_files(files: Files, config: MkDocsConfig) -> None:
    for address, path in ADDED.items():
        files.append(File.generated(config, address, abs_src_path=str(ROOT / path)))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Point links between docs/ and the root at the pages of the site."""
    if page.file.src_uri == "contributing.md":
        return markdown.replace("](docs/", "](")
    return markdown.replace("](../CONTRIBUTING.md", "](contributing.md")


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, **_: Any) -> dict[str, Any]:
    """Choose the language of the labels, and offer the same page in each language, or else its first page."""
    address = page.file.dest_uri
    config.theme["language"] = address.split("/")[1] if address.startswith("guide/") else FIRST
    config.extra["alternate"] = [
        {"lang": language, "name": name, "link": _in(language, address)} for language, name in NAMES.items()
    ]
    return context


def on_post_page(output: str, **_: Any) -> str:
    """Leave out links of the head to other languages: material's script would ask for a sitemap beside each."""
    return re.sub(r'<link rel="alternate"[^>]*>', "", output)


def _in(language: str, address: str) -> str:
    if not address.startswith("guide/") or address in HOMES.values():
        return HOMES[language]
    return f"guide/{language}/{address.split('/', 2)[2]}"
