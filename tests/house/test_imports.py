"""The house: app → pages → {model, viz}; pages never each other; viz never torch; model never streamlit."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORBIDDEN = {
    "model": {"streamlit", "plotly", "altair", "pages", "viz", "app"},
    "viz": {"streamlit", "torch", "model", "pages", "app"},
    "pages": {"app", "tests"},
}


def imported(path: Path) -> set[str]:
    """Every module that a file imports, wherever in the file, in full."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return modules


@pytest.mark.parametrize("part", FORBIDDEN)
def test_arrows_point_down(part: str) -> None:
    files = sorted((ROOT / part).rglob("*.py"))
    assert files
    for path in files:
        wrong = {module for module in imported(path) if module.split(".")[0] in FORBIDDEN[part]}
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_pages_do_not_know_each_other_nor_numbers() -> None:
    pages = {path.parent.name: path for path in (ROOT / "pages").glob("*/page.py")}
    for name, path in pages.items():
        modules = imported(path)
        known = (f"pages.{name}", "pages.shared")
        others = {module for module in modules if module.startswith("pages.") and not module.startswith(known)}
        assert not others, f"{name} imports {others}"
        assert not {"torch", "numpy"} & modules, f"{name} computes"


def test_only_one_module_owns_the_session_state() -> None:
    owners = {
        path.name
        for path in (ROOT / "pages").rglob("*.py")
        if "st.session_state" in path.read_text(encoding="utf-8")
        or "st.query_params" in path.read_text(encoding="utf-8")
    }
    assert owners <= {"view.py"}


def test_no_page_waits_for_torch_before_it_is_drawn() -> None:
    """Whatever a page imports at its head leaves torch alone, so that the first page is drawn without it."""
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "pages").glob("**/*.py"))]
    run = [path for path in files if (path.name == "page.py" and len(path.parts) == 3) or path.name == "shell.py"]
    modules = [".".join(path.with_suffix("").parts) for path in files if path not in run]
    code = f"import importlib, sys; [importlib.import_module(m) for m in {modules}]; print('torch' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split()[-1] == "False"
