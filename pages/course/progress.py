"""Progress in the course: the user's answers, kept over a reload by the notes of the user."""

import json

from pages.shared.session.user_notes import note, noted

_NOTE = "course"
MOST = 200  # questions whose answers are kept


def solved() -> frozenset[str]:
    """The steps whose question was answered rightly."""
    return frozenset(_read()["solved"])


def tried(mark: str) -> list[int]:
    """The options chosen for a question, in their order."""
    return _read()["tried"].get(mark, [])


def answer(step: str, mark: str, option: int, right: bool) -> None:
    """Note a chosen option."""

    def with_it(text: str | None) -> str:
        before = _parsed(text)
        others = {key: value for key, value in before["tried"].items() if key != mark}
        latest = dict(list(others.items())[1 - MOST :])
        steps = sorted({*before["solved"], step}) if right else before["solved"]
        answers = {**latest, mark: [*before["tried"].get(mark, []), option]}
        return json.dumps({**before, "solved": steps, "tried": answers}, ensure_ascii=False)

    note(_NOTE, with_it)


def explanation() -> str:
    """The user's explanation of a translation of their own."""
    return _read()["explanation"]


def explain(text: str) -> None:
    """Note what the user wrote."""
    note(_NOTE, lambda before: json.dumps({**_parsed(before), "explanation": text}, ensure_ascii=False))


def start_over() -> None:
    """Forget all answers."""
    note(_NOTE, lambda _: None)


def _read() -> dict:
    return _parsed(noted(_NOTE))


def _parsed(text: str | None) -> dict:
    return {"solved": [], "tried": {}, "explanation": ""} | json.loads(text or "{}")
