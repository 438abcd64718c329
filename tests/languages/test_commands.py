"""The commands for translators: files with every text, and what is wrong in them."""

import tomllib
from pathlib import Path

import pytest

from scripts.language import checks, english, files
from scripts.language.english import texts
from tests.languages import pseudo
from tests.languages.conftest import forget

CODE = "qfr"  # of French in these tests, so that the app may have its own
LABELS = "pages/content/words/labels"
START = "pages/start/words"


@pytest.fixture
def tree(further: Path) -> Path:
    """A tree with nothing but what the language is."""
    pseudo.put(further, "viz/languages", 'name = "Français"\n', code=CODE)
    forget()
    return further


def contents(tree: Path) -> dict[Path, str]:
    return {file.relative_to(tree): file.read_text(encoding="utf-8") for file in tree.rglob(f"{CODE}.toml")}


def test_a_new_language_has_every_text_empty_with_its_english_and_its_place(further: Path) -> None:
    files.write(CODE, further)
    forget()
    assert files.keys(CODE, further) == texts().keys()
    made = contents(further)
    assert {file.parent for file in made} == {Path("viz/languages"), *(text.folder for text in texts().values())}
    assert "#. the list of pages, and the window's title" in made[Path(START, f"{CODE}.toml")]
    labels = made[Path(LABELS, f"{CODE}.toml")]
    assert '· {count} · {limit}\n#  {count} tokens · limit {limit}\ncount = ""\n' in labels
    assert all(text == "" for entries in tomllib.loads(labels).values() for text in entries.values())
    report = checks.check(CODE)
    assert (report.translated, report.errors) == (0, [])
    assert len(report.warnings["Missing"]) == len(made) - 1


def test_what_is_translated_stays_and_what_is_new_is_added(tree: Path) -> None:
    own = '# mine\n[frame]\nlanguage = "Langue"  # mine too\n\n[pages]\nwhy = "Pourquoi ?"\n'
    pseudo.put(tree, LABELS, own, code=CODE)
    files.write(CODE, tree)
    labels = contents(tree)[Path(LABELS, f"{CODE}.toml")]
    assert labels.startswith('# mine\n[frame]\nlanguage = "Langue"  # mine too\n#. ')
    assert files.keys(CODE, tree) == texts().keys()
    tables = tomllib.loads(labels)
    assert (tables["frame"]["language"], tables["frame"]["model"], tables["pages"]["why"]) == (
        "Langue",
        "",
        "Pourquoi ?",
    )
    before = contents(tree)
    assert "0 texts to translate were added" in files.write(CODE, tree)
    assert contents(tree) == before


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
        ("frame", 'model = "x', f"{CODE}.toml: Illegal character"),
    ],
)  # fmt: skip
def test_a_check_finds_what_is_wrong(table: str, entry: str, error: str, tree: Path) -> None:
    pseudo.put(tree, START, f"[{table}]\n{entry}\n", code=CODE)
    assert [each for each in checks.check(CODE).errors if error in each] != []


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
def test_a_check_points_at_what_may_be_wrong(table: str, entry: str, kind: str, tree: Path) -> None:
    pseudo.put(tree, START, f"[{table}]\n{entry}\n", code=CODE)
    report = checks.check(CODE)
    assert report.errors == []
    assert [each for each in report.warnings if each.startswith(kind)] != [], report.warnings


def test_a_good_text_is_not_pointed_at(tree: Path) -> None:
    pseudo.put(tree, START, '[term_head]\nname = "tête"\n[frame]\nmodel = "Modèle"\n', code=CODE)
    report = checks.check(CODE)
    assert (report.translated, report.errors, report.warnings.keys()) == (2, [], {"Missing"})


def test_a_place_is_known_for_most_texts() -> None:
    unknown = [text for text in texts().values() if text.place == "a text"]
    assert len(unknown) < len(texts()) / 2
    assert english.texts()["energy.question"].place == "the heading of the page"
    assert english.texts()["attention_view.cell"].letters == 30
