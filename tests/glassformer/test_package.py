"""Package as it gets installed, and the example notebooks with it."""

import json
from pathlib import Path

import pytest

from pages.shared.text.words import all_texts
from tests.glassformer.conftest import install, run
from tests.samples import ROOT
from viz.languages import languages
from viz.version import VERSION

EXAMPLES = sorted((ROOT / "docs/examples").glob("*.ipynb"))


def test_the_package_brings_its_figures_and_leaves_the_app_alone(installed: Path) -> None:
    assert {path.name for path in installed.iterdir()} == {"glassformer", f"glassformer-{VERSION}.dist-info"}
    others = {"streamlit", "torch", "altair", "viz", "model", "pages"}
    code = f"import glassformer; print(glassformer.__version__, *({others} & sys.modules.keys()))"
    assert run(code, installed, installed).split() == [VERSION]
    metadata = (installed / f"glassformer-{VERSION}.dist-info/METADATA").read_text(encoding="utf-8")
    requirements = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra" not in line]
    assert [line.split()[1].split(">")[0] for line in requirements] == ["numpy", "jinja2", "quickjs-ng"]


def test_the_package_speaks_the_languages_of_the_app(installed: Path) -> None:
    names = {str(path.relative_to(installed / "glassformer")) for path in installed.rglob("*.toml")}
    assert names == {f"{folder}/{language}.toml" for folder in ("languages", "words") for language in languages()}
    texts = [all_texts(language)["matrix_figure.axis_rows"] for language in ("en", "es", "zh")]
    words = "[glassformer.matrix([[1]], language=each).words['axis_rows'] for each in ('en', 'es', 'zh')]"
    assert run(f"import glassformer; print({words})", installed, installed).strip() == str(texts)
    assert len(set(texts)) == 3


def test_an_editable_install_is_the_folder_itself(source: Path, tmp_path: Path) -> None:
    install(source, "--prefix", str(tmp_path), "--editable", ".")
    site = next(tmp_path.glob("lib/python*/site-packages"))
    start = f"import site; site.addsitedir({str(site)!r}); import glassformer"
    code = f"{start}; print(glassformer.matrix.__code__.co_filename)"
    assert run(code, site, tmp_path).strip() == str(source / "viz/notebook/matrices.py")


@pytest.mark.sample(2)
@pytest.mark.parametrize("notebook", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(notebook: Path, installed: Path, tmp_path: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code"), "save it without outputs"
    # the last line of a cell is what a notebook would display
    code += ["print(sorted(file.name for file in __import__('pathlib').Path('.').iterdir()))"]
    output = run("\n".join(code), installed, tmp_path)
    assert ".html" in output


def test_there_are_examples_of_both_libraries() -> None:
    assert [path.stem for path in EXAMPLES] == ["hugging_face", "torch_transformer"]


def test_the_guide_runs(installed: Path, tmp_path: Path) -> None:
    """The code of docs/notebook.md that needs no model of a user's."""
    text = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    code = "\n".join(block for block in blocks if "from_pretrained" not in block)
    run(code, installed, tmp_path)
    assert {file.suffix for file in tmp_path.iterdir()} >= {".html", ".svg", ".png", ".npz"}
