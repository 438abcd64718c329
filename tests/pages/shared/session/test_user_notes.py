"""Notes of users: who stayed away for too long is forgotten, and the oldest where there are too many."""

from pages.shared.session.user_notes import ASK, Notes


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


class Shared:
    """A keeper that two processes share."""

    def __init__(self) -> None:
        self.notes: dict[str, tuple[str, float]] = {}
        self.reads = 0

    def read(self, user: str) -> dict[str, tuple[str, float]]:
        self.reads += 1
        return dict(self.notes) if user == "ada" else {}

    def write(self, user: str, key: str, text: str, when: float) -> None:
        assert user == "ada"
        self.notes[key] = (text, when)


def test_another_process_knows_the_notes_and_the_newer_ones_hold() -> None:
    now, keeper = 0.0, Shared()
    first, second = Notes(clock=lambda: now), Notes(clock=lambda: now)
    first.keeper = second.keeper = keeper
    first.change("ada", "score", lambda _: "1")
    first.change("ada", "own", lambda _: "7")
    assert second.get("ada", "score") == "1"
    second.change("ada", "score", lambda score: f"{score}2")
    second.change("ada", "own", lambda _: None)
    assert first.get("ada", "score") == "1"  # it asks again later
    now += ASK
    assert first.get("ada", "score") == "12"
    assert first.get("ada", "own") is None
    reads = keeper.reads
    assert first.get("ada", "score") == "12"
    assert keeper.reads == reads
    assert first.get("ben", "score") is None
    keeper.notes["score"] = ("old", 1.0)  # what could not be written yet is known here
    now += ASK
    assert first.get("ada", "score") == "12"
