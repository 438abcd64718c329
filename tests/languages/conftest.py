"""The app with a further language, which no folder of the repository has."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.shared.classroom import lessons
from pages.shared.text import words
from tests.languages import pseudo
from viz import languages


def forget() -> None:
    """Languages and their texts are read once; the tests need them again."""
    for cached in (
        languages.languages, languages.texts_of, words.own_texts, words.all_texts, words.missing, words._section,
        words._missing_section, lessons.shipped,
    ):  # fmt: skip
        cached.cache_clear()


@pytest.fixture
def further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tree for languages of a test; call `forget` when they are there."""
    monkeypatch.setenv(languages.FURTHER, str(tmp_path))
    yield tmp_path
    monkeypatch.undo()
    forget()


@pytest.fixture(scope="module")
def right_to_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tree that has the pseudo-language, while the app offers it."""
    folder = tmp_path_factory.mktemp("languages")
    pseudo.write(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(languages.FURTHER, str(folder))
        forget()
        yield folder
    forget()
