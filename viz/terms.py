"""The terms of the glossary by topic, each with its formula or shape, "" for none; live pages read the same file."""

import json
from pathlib import Path

_FILE = Path(__file__).parent / "frontend/common/terms.json"
TOPICS: dict[str, dict[str, str]] = json.loads(_FILE.read_text(encoding="utf-8"))
FORMULAS = {term: formula for terms in TOPICS.values() for term, formula in terms.items()}
