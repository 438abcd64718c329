"""What the import contracts in pyproject.toml cannot say: who may touch the session, and when torch is loaded."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


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
