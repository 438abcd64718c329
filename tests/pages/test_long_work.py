"""Work of many passes is computed in parts: between two of them the bar moves, and a click on Stop is heard."""

import zlib

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import catalogue
from model.circuits import ablation
from model.transformer import FeedForward
from pages.circuits import cached_measurements
from pages.shared.load import fair_lock
from pages.shared.models import models
from pages.shared.session.view import View
from tests.app import inside, sentence, visit

MODEL = "untrained-t5"
TEXT = "Wir gehen heute mit dem alten Hund und der kleinen Katze zum Markt und dann ins Kino, weil es regnet."
MOST = 500  # tokens that go through every layer, between two chances to stop
VIEWS = [
    ("why", {"show": "words", "sentence": TEXT}),
    ("why", {"show": "words", "method": "integrated", "sentence": TEXT}),
    ("why", {"show": "trust", "sentence": TEXT}),
    ("intervene", {"show": "effect", "sentence": TEXT}),
    ("circuits", {"show": "roles"}),
    ("circuits", {"show": "averages"}),
    ("circuits", {"show": "averages", "way": "mean"}),
    ("circuits", {"show": "patching"}),
    ("data", {}),
]
pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def at_a_stretch(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Tokens times layers from one chance to stop to the next."""
    counts = [0]
    forward, let_others = FeedForward.forward, fair_lock.let_others

    def counted(self, x, *arguments, **named):
        counts[-1] += x.shape[0] * x.shape[1]
        return forward(self, x, *arguments, **named)

    def chance() -> None:
        counts.append(0)
        let_others()

    monkeypatch.setattr(FeedForward, "forward", counted)
    monkeypatch.setattr(fair_lock, "let_others", chance)
    models.KEPT.clear()
    return counts


@pytest.mark.sample(3)
@pytest.mark.parametrize(("page", "view"), VIEWS)
def test_long_work_has_many_chances_to_stop(page: str, view: dict[str, str], at_a_stretch: list[int]) -> None:
    visit(page, checkpoint=MODEL, seed="7", **view)
    layers = 8
    assert sum(at_a_stretch) > 0
    assert max(at_a_stretch) <= MOST * layers, [count for count in at_a_stretch if count > MOST * layers]


def stopped(app: AppTest, page: str, mark: str) -> AppTest:
    app.session_state["_view"].kept[page] = {"stopped": mark}
    app.run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def gone_on_with(app: AppTest) -> AppTest:
    next(button for button in app.button if str(button.key).startswith("go_on")).click().run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


@pytest.mark.parametrize(
    ("show", "work", "figure"),
    [("words", "leave_one_out", "figure_sentence"), ("trust", "integrated", "figure_methods"),
     ("trust", "curves", "figure_curves")],
)  # fmt: skip
def test_why_can_be_stopped_and_gone_on_with(
    show: str, work: str, figure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zlib, "crc32", lambda name: 7 if name.startswith(f"why {work} ".encode()) else 8)
    app = stopped(visit("why", show=show), "why", "7")
    text = sentence("en", "progress.stopped")
    assert inside(app, figure).count(text) == 1
    assert sum(text in element.proto.body for element in app.text) == 1
    assert text not in inside(gone_on_with(app), figure)


def test_the_pairs_of_heads_can_be_stopped_while_another_way_is_in_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page asks for the effects of removing heads alone twice: as averages, and for the pairs."""
    monkeypatch.setattr(zlib, "crc32", lambda name: 7 if name.startswith(b"ablation zero") else 8)
    app = stopped(visit("circuits", checkpoint=MODEL, show="averages", way="mean"), "circuits", "7")
    assert sentence("en", "progress.stopped") in inside(app, "figure_pairs")
    assert sentence("en", "progress.stopped") not in inside(gone_on_with(app), "figure_pairs")


def test_of_the_head_in_view_alone_the_effect_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    of_sentence = ablation.of_sentence

    def counted(checkpoint, runs, number, way, removed):
        calls.extend(map(ablation.name_of, removed))
        return of_sentence(checkpoint, runs, number, way, removed)

    monkeypatch.setattr(ablation, "of_sentence", counted)
    app = visit("circuits", checkpoint=MODEL, seed="9", role="previous", attention_kind="encoder", layer="1", head="2")
    assert set(calls) == {"encoder.1.2"}
    entry = catalogue.untrained(9)[MODEL]
    _, effect = cached_measurements.effect(entry, "encoder.1.2")
    assert any(f"{effect.mean:+.2f}".replace("-", "−") in text or "0.00" in text for text in inside(app, "figure_head"))


def test_work_that_a_page_asks_for_twice_can_be_stopped_in_both_places() -> None:
    def page() -> None:
        from pages.shared.layout import progress
        from pages.shared.session import script_run

        script_run.begin_page(same_page=False)
        for _ in range(2):
            progress.computed("twice", [(1,), (2,)], lambda number: number)

    app = AppTest.from_function(page)
    app.session_state["_view"] = View(kept={"": {"stopped": str(zlib.crc32(b"twice"))}})
    app.run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    assert len({button.key for button in app.button}) == 2
    assert not gone_on_with(app).button
