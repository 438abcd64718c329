"""What the import contracts in pyproject.toml cannot say: who may touch the session, and when torch is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("attribute", "owners"), [("session_state", {"state.py", "widgets.py"}), ("query_params", {"address.py"})]
)
def test_only_the_session_package_touches(attribute: str, owners: set[str]) -> None:
    files = (path for path in (ROOT / "pages").rglob("*.py") if f"st.{attribute}" in path.read_text(encoding="utf-8"))
    assert set(files) == {ROOT / "pages" / "shared" / "session" / name for name in owners}


def test_no_page_waits_for_torch_before_it_is_drawn() -> None:
    """Whatever a page imports at its head leaves torch alone, so that the first page is drawn without it."""
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "pages").glob("**/*.py"))]
    run = [path for path in files if (path.name == "page.py" and len(path.parts) == 3) or path.name == "shell.py"]
    modules = [".".join(path.with_suffix("").parts) for path in files if path not in run]
    code = f"import importlib, sys; [importlib.import_module(m) for m in {modules}]; print('torch' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split()[-1] == "False"


def test_no_model_waits_for_torch_s_compiler() -> None:
    """Nothing is compiled, and its import takes as long as that of torch."""
    code = """
import sys
from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate

translate(checkpoints.load(catalogue.find("de-en")), "Wir gehen heute ins Kino.")
print("torch._dynamo" in sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split()[-1] == "False"
