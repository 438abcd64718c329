"""One module from several: what is joined, and what is refused."""

import re
from pathlib import Path

import pytest

from tests.samples import ROOT
from viz.components.js_bundle import bundle

ENTRY = 'import { twice } from "./tools/twice.js";\n\nexport default () => twice(2);\n'
TWICE = 'import { base } from "./base.js";\nimport SIZES from "./sizes.json" with { type: "json" };\n\n'
FILES = {
    "entry.js": ENTRY,
    "tools/twice.js": f"// Two.\n{TWICE}export function twice(value) {{\n  return 2 * value * base * SIZES.one;\n}}\n",
    "tools/base.js": "export const base = 1;\n",
    "tools/sizes.json": '{ "one": 1 }\n',
}


def linked(folder: Path, **changed: str) -> str:
    for name, text in (FILES | {name.replace("__", "/") + ".js": text for name, text in changed.items()}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return bundle("entry.js", folder)


def test_files_come_once_and_before_those_that_use_them(tmp_path: Path) -> None:
    both = 'import {\n  twice,\n} from "./tools/twice.js";\nimport { base } from "./tools/base.js";\n'
    assert linked(tmp_path, entry=f"{both}export default () => twice(base);\n").splitlines() == [
        "const base = 1;",
        'const SIZES = {"one": 1};',
        "function twice(value) {",
        "return 2 * value * base * SIZES.one;",
        "}",
        "export default () => twice(base);",
    ]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"entry": ENTRY.replace("{ twice }", "{ thrice }")},
            "entry.js imports thrice from tools/twice.js",
        ),
        ({"tools__base": "const base = 1;\n"}, "tools/twice.js imports base from tools/base.js, which does not export"),
        ({"entry": ENTRY.replace("twice.js", "none.js")}, "entry.js needs tools/none.js, which does not exist"),
        ({"entry": f"{ENTRY}const base = 2;\n"}, "base is defined both in tools/base.js and in entry.js"),
        ({"entry": f"{ENTRY}async function base() {{}}\n"}, "base is defined both in"),
        (
            {"tools__base": 'import { twice } from "./twice.js";\nexport const base = 1;\n'},
            "in a circle",
        ),
        ({"tools__base": "export const base = 1;\nexport default base;\n"}, "tools/base.js has a default export"),
        ({"entry": f'import "./tools/base.js";\n{ENTRY}'}, "entry.js: the bundler does not understand 'import"),
        ({"entry": f'import * as base from "./tools/base.js";\n{ENTRY}'}, "does not understand"),
        ({"entry": f"const {{ a }} = window;\n{ENTRY}"}, "does not understand 'const { a }"),
        ({"tools__base": "const base = 1;\nexport { base };\n"}, "tools/base.js: the bundler does not understand"),
    ],
)
def test_files_that_do_not_fit_are_refused(changed: dict[str, str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=sentence):
        linked(tmp_path, **changed)


def test_what_a_module_exports_is_imported_somewhere() -> None:
    """By another module or a test, or it is what Python calls: the file of a figure, or its height."""
    modules = {path for folder in ("viz", "live", "tests") for path in (ROOT / folder).rglob("*.*js")}
    sources = {path: path.read_text(encoding="utf-8") for path in modules if "vendor" not in path.parts}
    imports = {
        ((path.parent / source).resolve(), name)
        for path, text in sources.items()
        for names, source in re.findall(r'^import (\{[^}]+\}|\w+) from "(\.[^"]+)"', text, re.MULTILINE)
        for name in re.findall(r"\w+", names)
    }
    exports = {
        (path, name)
        for path, text in sources.items()
        for name in re.findall(r"^export (?:async )?(?:function\*?|class|const|let) (\w+)", text, re.MULTILINE)
    }
    assert len(exports) > 300
    alone = {name for path, name in exports - imports}
    assert {name for name in alone if not name.endswith(("File", "Height"))} == set()
