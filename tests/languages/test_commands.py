"""The commands for translators: a folder with every text, and what is wrong in it."""

import tomllib
from pathlib import Path

import pytest

from scripts.language import checks, english, files
from scripts.language.english import texts


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "fr"
    files.write(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with nothing but what the language is."""
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / "language.toml").write_text('name = "Français"\n', encoding="utf-8")
    return tmp_path / "fr"


def test_a_new_language_has_every_text_empty_with_its_english_and_its_place(made: Path) -> None:
    assert files.keys(made) == texts().keys()
    labels = (made / "labels.toml").read_text(encoding="utf-8")
    assert "#. the list of pages, and the window's title" in "".join(
        file.read_text(encoding="utf-8") for file in made.glob("*.toml")
    )
    assert '· {count} · {limit}\n#  {count} tokens · limit {limit}\ncount = ""\n' in labels
    assert all(text == "" for entries in tomllib.loads(labels).values() for text in entries.values())
    report = checks.check(made)
    assert (report.translated, report.errors) == (0, [])
    assert len(report.warnings["Missing"]) == len({text.file for text in texts().values()})


def test_what_is_translated_stays_and_what_is_new_is_added(folder: Path) -> None:
    own = '# mine\n[frame]\nlanguage = "Langue"  # mine too\n\n[pages]\nwhy = "Pourquoi ?"\n'
    (folder / "labels.toml").write_text(own, encoding="utf-8")
    files.write(folder)
    labels = (folder / "labels.toml").read_text(encoding="utf-8")
    assert labels.startswith('# mine\n[frame]\nlanguage = "Langue"  # mine too\n#. ')
    assert files.keys(folder) == texts().keys()
    tables = tomllib.loads(labels)
    assert (tables["frame"]["language"], tables["frame"]["model"], tables["pages"]["why"]) == (
        "Langue",
        "",
        "Pourquoi ?",
    )
    before = {file.name: file.read_bytes() for file in folder.glob("*.toml")}
    assert "0 texts to translate were added" in files.write(folder)
    assert {file.name: file.read_bytes() for file in folder.glob("*.toml")} == before


@pytest.mark.parametrize(
    ("table", "entry", "error"),
    [
        ("frame", 'count = "{count} unités, {limite} au plus"', "the placeholders ['count', 'limite'], English has"),
        ("frame", 'count = "{count unités"', "a brace is left open"),
        ("frame", 'nowhere = "x"', "English has no such text"),
        ("frame", "model = 3", "is no text in quotes"),
        ("attention", 'lead = "Les [[nothing|poids]]"', "marks terms that the glossary does not have: nothing"),
        ("attention", 'lead = "Les [[head|têtes"', "a mark [[term]] is not closed"),
        ("attention", 'lead = "Les **têtes"', "**bold** is not closed"),
        ("attention", 'lead = "Les [têtes](http://x)"', "its links are not those of English"),
        ("attention", 'lead = "\\u2067Les têtes"', "a mark of direction is not closed"),
        ("frame", 'model = "x', "test.toml: Illegal character"),
    ],
)  # fmt: skip
def test_a_check_finds_what_is_wrong(table: str, entry: str, error: str, folder: Path) -> None:
    (folder / "test.toml").write_text(f"[{table}]\n{entry}\n", encoding="utf-8")
    assert [each for each in checks.check(folder).errors if error in each] != []


@pytest.mark.parametrize(
    ("table", "entry", "kind"),
    [
        ("pages", 'attention = "Le mécanisme de l’attention"', "Long for its place"),
        ("refused", 'config_base = "position_base est {value} : l’article a 10.000."', "Numbers"),
        ("attention_stages", 'of = "{count} étapes, la {number}"', "Plurals"),
        ("attention", 'lead = "Chaque petit carré est une tête."', "Terms that are not marked"),
        ("attention", 'question = "Qui regarde quoi\u200f ?"', "Marks of direction"),
        ("frame", 'no_model = "This page needs no model and no sentence."', "The same as in English"),
        ("term_head", 'name = "tête"\n[attention]\nlead = "Une [[head|partie]]."', "Terms under another name"),
    ],
)  # fmt: skip
def test_a_check_points_at_what_may_be_wrong(table: str, entry: str, kind: str, folder: Path) -> None:
    (folder / "test.toml").write_text(f"[{table}]\n{entry}\n", encoding="utf-8")
    report = checks.check(folder)
    assert report.errors == []
    assert [each for each in report.warnings if each.startswith(kind)] != [], report.warnings


def test_a_good_text_is_not_pointed_at(folder: Path) -> None:
    (folder / "test.toml").write_text('[term_head]\nname = "tête"\n[frame]\nmodel = "Modèle"\n', encoding="utf-8")
    report = checks.check(folder)
    assert (report.translated, report.errors, report.warnings.keys()) == (2, [], {"Missing"})


def test_a_place_is_known_for_most_texts() -> None:
    unknown = [text for text in texts().values() if text.place == "a text"]
    assert len(unknown) < len(texts()) / 2
    assert english.texts()["energy.question"].place == "the heading of the page"
    assert english.texts()["attention_view.cell"].letters == 30
