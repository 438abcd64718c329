"""Notes of users: who stayed away for too long is forgotten, and the oldest where there are too many."""

import pytest

from pages.shared.session.user_notes import ASK, Change, Notes


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
        self.is_away = False
        self.later: list[tuple[str, Change, float]] = []

    def read(self, user: str) -> dict[str, tuple[str, float]] | None:
        self.reads += 1
        if self.is_away:
            return None
        return dict(self.notes) if user == "ada" else {}

    def write(self, user: str, key: str, text: str, when: float) -> None:
        assert user == "ada"
        self.notes[key] = (text, when)

    def change(self, user: str, key: str, change: Change, when: float) -> None:
        assert user == "ada"
        self.later.append((key, change, when))

    def come_back(self) -> None:
        """Do what was to be done meanwhile."""
        self.is_away = False
        for key, change, when in self.later:
            note, before = self.notes.get(key, ("", 0.0))
            if before < when:
                self.notes[key] = change(note or None) or "", when


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


@pytest.mark.parametrize("reads_first", [False, True])
def test_changes_of_notes_that_could_not_be_read_lose_none_of_them(reads_first: bool) -> None:
    """Whether the keeper has done them when it is read next, or not yet."""
    keeper = Shared()
    keeper.notes = {"answers": ("1", 1.0), "own": ("7", 1.0)}
    fresh = Notes()
    fresh.keeper, keeper.is_away = keeper, True
    fresh.change("ada", "answers", lambda answers: f"{answers or ''}2")
    fresh.change("ada", "own", lambda own: own or "8")
    fresh.change("ada", "answers", lambda answers: f"{answers or ''}3")
    assert fresh.get("ada", "answers") == "23"  # what is known here
    keeper.is_away = False
    if not reads_first:
        keeper.come_back()
    assert (fresh.get("ada", "answers"), fresh.get("ada", "own")) == ("123", "7")
    keeper.come_back()
    fresh.change("ada", "answers", lambda answers: f"{answers}4")
    assert [keeper.notes[key][0] for key in ("answers", "own")] == ["1234", "7"]
