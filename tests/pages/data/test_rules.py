"""Does it know the rule? Phenomena as recorded, the pairs of one with its failures first, and measuring on request."""

import csv
import io
from html import unescape

import pytest

from corpora.grammar import LANGUAGES as GRAMMARS
from corpora.grammar import contrasts
from corpora.lexicon import Rows
from model.checkpoint.catalogue import Entry
from model.measurements.rules import pairs_suite
from model.measurements.rules.pairs_suite import MEASUREMENT
from pages.shared.text.words import all_texts
from tests.app import click, downloads, inside, sentence, visit
from tests.figures import check_chart, watching_figures
from tests.samples import LANGUAGES, SAMPLES
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")
SUITE = MEASUREMENT.saved(Entry(SAMPLES / "es-en"))


def table(app: object, key: str) -> list[dict[str, str]]:
    text = downloads(app)[f"csv_{key}"].make().decode("utf-8-sig")  # type: ignore[arg-type]
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("language", [*LANGUAGES, "es"])
def test_every_phenomenon_has_a_name(language: str) -> None:
    texts = all_texts(language)
    for file in GRAMMARS.glob(f"*/{contrasts.FILE}"):
        assert {name for name in Rows(file).sections if f"data_rule.{name}" not in texts} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_phenomena_are_as_recorded_and_the_hardest_is_open(language: str) -> None:
    assert SUITE
    with watching_figures(lambda name, figure: charts.update({name: figure})):
        charts: dict[str, Figure] = {}
        app = visit("data", language, show="rules", checkpoint="es-en")
    rows = table(app, "data-rules")
    own = [row for row in rows if row["model"] == "own"]
    assert [row["phenomenon"] for row in own] == list(SUITE.phenomena)
    assert [int(row["right"]) for row in own] == [each.right["own"] for each in SUITE.phenomena.values()]
    check_chart(charts["data-rules"].spec)  # type: ignore[attr-defined]
    hardest = next(iter(SUITE.phenomena))
    pairs = table(app, f"data-rule-{hardest}")
    assert [row["source"] for row in pairs] == [pair.source for pair in SUITE.phenomena[hardest].pairs]
    right = [row["is_right"] == "True" for row in pairs]
    assert right == sorted(right)


def test_another_phenomenon_is_chosen_and_its_sentences_lead_to_their_attention() -> None:
    assert SUITE
    app = visit("data", show="rules", checkpoint="es-en", rule="negation")
    each = SUITE.phenomena["negation"]
    [html] = [box.proto.body for box in app.main.get("html") if "gf-linked" in box.proto.body]
    assert "/attention?" in html
    assert each.pairs[0].source in html
    assert each.pairs[0].wrong in unescape(html)
    app.selectbox(key="rule").set_value("question").run()
    assert app.query_params["rule"] == "question"
    assert table(app, "data-rule-question")[0]["source"] == SUITE.phenomena["question"].pairs[0].source


def test_what_is_not_saved_is_measured_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs_suite, "names", lambda language: ["object_number"])
    monkeypatch.setattr(pairs_suite, "PAIRS", 4)
    monkeypatch.setattr(type(MEASUREMENT), "saved", lambda self, entry: None)
    app = visit("data", show="rules", checkpoint="es-en")
    assert sentence("en", "data_rules.unmeasured") in inside(app, "figure_rules")
    app = click(app, "measure_pairs")
    assert len(table(app, "data-rule-object_number")) == 4


def test_a_model_without_pairs_says_so() -> None:
    app = visit("data", show="rules", checkpoint="reverse")
    assert sentence("en", "data_rules.none") in inside(app, "figure_rules")
