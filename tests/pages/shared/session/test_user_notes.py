"""Notes of users: who stayed away for too long is forgotten, and the oldest where there are too many."""

from pages.shared.session.user_notes import Notes


def test_old_notes_are_forgotten() -> None:
    now = 0.0
    notes = Notes(characters=2, age=10, clock=lambda: now)
    for user in ("a", "b", "c"):
        notes.change(user, "score", lambda _, user=user: user)  # type: ignore[misc]
    assert [notes.get(user, "score") for user in ("a", "b", "c")] == [None, "b", "c"]
    notes.change("b", "score", lambda score: (score or "") + "b")
    assert [notes.get(user, "score") for user in ("b", "c")] == ["bb", None]
    now = 11.0
    assert notes.get("b", "score") is None
    assert not notes._known
