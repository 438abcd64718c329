"""A page is one folder: what a new one declares and holds is all that the rest of the app has to know."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pages.shared.text import words
from tests.samples import ROOT
from viz import languages

FILES = {
    "__init__.py": '"""A page."""\n\nfrom pages.shared.session.page_list import Page\n\n'
    'PAGE = Page(name="new", section="see", place=15, settings="colour", sidebar="language")\n',
    "page.py": 'from pages.shared.layout import page\n\npage.head("new")\n',
    "words/en.toml": '[pages]\nnew = "New"\n\n[new]\nquestion = "What is new?"\nlead = "This."\n',
    "words/zh.toml": '[pages]\nnew = "新页"\n\n[new]\nquestion = "有什么新的？"\nlead = "这个。"\n',
    "placeholders.css": ".st-key-new { --box-height: 1rem; }\n",
}
SCRIPT = """
import json
from pages.shared.layout import sidebar
from pages.shared.server import page_html, redirects
from tests.app import contents, said, visit

sidebar.warm_up = lambda: None
app = visit("new", "zh", colour="red", shade="red")
menu = list(contents(app))
page = page_html.completed(b'<html lang="en"></body>', "/new", "zh").decode()
print(json.dumps({
    "title": [title.value for title in app.title], "notices": said(app), "menu": menu[2:5],
    "address": redirects.right_address("/New", ""), "sidebar": 'data-sidebar="language"' in page,
    "placeholders": ".st-key-new {" in page,
}))
"""


def test_a_new_page_needs_nothing_outside_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for path in (
        *map(ROOT.joinpath, ("corpora", "model", "viz", "classroom", "tests", "sample_checkpoints")),
        *ROOT.glob("pages/*"),
    ):
        (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    for name, text in FILES.items():
        file = tmp_path / "pages" / "new_page" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    process = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr[-2000:]
    catalogue = words.all_texts("zh")
    assert json.loads(process.stdout) == {
        "title": ["有什么新的？"],
        "notices": [catalogue["notice.parameter"].format(field="shade")],
        "menu": [catalogue["pages.sheet"], "新页", catalogue["pages.primer"]],
        "address": "./new",
        "sidebar": True,
        "placeholders": True,
    }


def test_a_text_that_stands_in_two_files_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "one.toml", tmp_path / "other.toml"]
    for file in files:
        file.write_text('[pages]\none = "One"\n', encoding="utf-8")
    monkeypatch.setattr(languages, "files", lambda *_: files)
    with pytest.raises(ValueError, match=r"pages\.one stands in another file too"):
        languages.texts_of.__wrapped__("en")
