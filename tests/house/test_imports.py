"""Rules that the import contracts in pyproject.toml cannot say: how code uses the session, torch, numpy and altair."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("benchmarks", "classroom", "corpora", "hosting", "live", "model", "pages", "scripts", "tests", "viz")
# a module that has another name where it is imported, because the file has something else of its name
RENAMED = {
    ("model/__main__.py", "decode_translate"),  # `translate` is a command
    ("tests/pages/course/test_page.py", "learning_figure"),  # `learning` is a function
    ("tests/pages/decoding/test_page.py", "decoding_step"),  # `step` is a number
    ("tests/pages/forecast/test_page.py", "forecast_upload"),  # `upload` is a function
}


@pytest.mark.parametrize(
    ("attribute", "owners"), [("session_state", {"state.py", "widgets.py"}), ("query_params", {"address.py"})]
)
def test_only_the_session_package_touches(attribute: str, owners: set[str]) -> None:
    use = re.compile(rf"\bst\.{attribute}\b")  # and not that of a request
    files = (path for path in (ROOT / "pages").rglob("*.py") if use.search(path.read_text(encoding="utf-8")))
    assert set(files) == {ROOT / "pages" / "shared" / "session" / name for name in owners}


def test_modules_are_imported_under_their_own_names() -> None:
    """A module that importers call by another name is renamed."""
    aliases = set()
    for folder in OURS:
        for path in (ROOT / folder).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            aliases |= {(name, alias) for alias in _renamed_modules(path)}
    assert aliases == RENAMED


def _renamed_modules(path: Path) -> set[str]:
    """The names under which a file imports modules of ours that are called something else."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"^[ ]*(from .*import .*|\w+) as \w", text, re.M):  # to parse all files would take seconds
        return set()
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    folders = [(_folder(path, node), node.names) for node in imports]
    return {
        alias.asname
        for folder, names in folders
        for alias in names
        if alias.asname and ((folder / f"{alias.name}.py").is_file() or (folder / alias.name).is_dir())
    }


def _folder(path: Path, node: ast.ImportFrom) -> Path:
    """The folder of the package from which `path` imports."""
    start = path.parents[node.level - 1] if node.level else ROOT
    return start.joinpath(*(node.module or "").split("."))


def test_no_page_waits_for_torch_before_it_is_drawn() -> None:
    """Whatever a page imports at its head leaves torch alone, so that the first page is drawn without it."""
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "pages").glob("**/*.py"))]
    run = [path for path in files if (path.name == "page.py" and len(path.parts) == 3) or path.name == "shell.py"]
    modules = [".".join(path.with_suffix("").parts) for path in files if path not in run]
    code = f"import importlib, sys; [importlib.import_module(m) for m in {modules}]; print('torch' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout.split()[-1] == "False"


def test_no_model_waits_for_torch_s_compiler() -> None:
    """Nothing is compiled, and its import takes as long as that of torch."""
    code = """
import sys
from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate

translate(checkpoints.load(catalogue.find("de-en")), "Wir gehen heute ins Kino.")
print("torch._dynamo" in sys.modules)
"""
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout.split()[-1] == "False"


def test_numpy_takes_one_core() -> None:
    """It reads how many when it is first imported: nothing that the server imports may come before."""
    script = """
import os, sys

class Watch:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))

sys.meta_path.insert(0, Watch())
import app, numpy
"""
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=own, capture_output=True, text=True, check=False
    )
    assert process.stdout.split() == ["1"], process.stderr[-2000:]


def test_charts_name_their_channels_by_altair_s_types() -> None:
    """A text or a value as a channel is parsed: 6 ms each, as altair hashes all its schemas for it."""
    parsed = []
    for path in (ROOT / "viz").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                texts = call.func.attr == "encode" and any(
                    isinstance(each.value, ast.Constant) for each in call.keywords
                )
                if texts or ast.unparse(call.func) in ("alt.value", "alt.condition"):
                    parsed.append(f"{path.name}:{call.lineno}")
    assert parsed == []
