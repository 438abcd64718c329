"""The page on today's LLMs: what the switches draw and count, and that its links open what they name."""

import re

import pytest

from model.checkpoint.catalogue import Entry
from model.train import check_settings, llm_changes
from tests.app import said, sentence, visit
from tests.samples import LANGUAGES, SAMPLES, either_language

ALL = dict.fromkeys(llm_changes.NAMES, "1")


def boxes(app) -> str:
    """The drawn layers."""
    return next(html.proto.body for html in app.main.get("html") if "gf-stacks" in html.proto.body)


def labels(app) -> list[str]:
    """The boxes from the input on."""
    return re.findall(r"<b>([^<]+)</b>", boxes(app))


def metrics(app) -> list[str]:
    return [metric.value for metric in app.main.metric]


@either_language
def test_2017_and_today_are_drawn_and_counted(language: str) -> None:
    past, today = visit("llm", language), visit("llm", language, **ALL)
    texts = {name: sentence(language, f"llm_block.{name}") for name in ("cross", "layer_norm", "rms", "add", "masked",
             "feed_forward", "embedding", "output")}  # fmt: skip
    assert labels(past).count(texts["cross"]) == 1
    assert labels(past).count(texts["layer_norm"]) == 5
    assert "changed" not in boxes(past)
    assert labels(today) == [
        texts[name]
        for name in ("embedding", "rms", "masked", "add", "rms", "feed_forward", "add", "rms", "output")
    ]  # fmt: skip
    for name in llm_changes.NAMES[1:]:  # what is gone with the encoder has no box
        assert sentence(language, f"llm_change.{name}") in boxes(today)
    for app, names in ((past, ()), (today, llm_changes.NAMES)):
        cost = llm_changes.cost(frozenset(names))
        assert metrics(app) == [f"{number:,}" for number in (cost.parameters, cost.cached, cost.products)]
        assert said(app) == []


def test_a_switch_changes_the_layer_and_the_address() -> None:
    app = visit("llm")
    app.toggle(key="pre_norm").set_value(True).run()
    assert app.query_params["pre_norm"] == "1"
    assert labels(app)[1] == sentence("en", "llm_block.layer_norm")


@pytest.mark.sample(2)
@pytest.mark.parametrize("chosen", [(), ("decoder_only", "rotary"), llm_changes.NAMES])
def test_the_link_to_train_sets_up_this_very_run(chosen: tuple[str, ...]) -> None:
    """The form of /train, opened by the link, holds every setting of the run; none is refused."""
    from pages.llm import switches

    settings = llm_changes.settings(chosen)
    app = visit("llm", **dict.fromkeys(chosen, "1"))
    link = next(link for link in app.main.get("page_link") if link.proto.page == "train")
    address = dict(part.split("=", 1) for part in link.proto.query_string.split("&"))
    state = visit("train", **address)
    assert said(state) == []
    values = {widget.key: widget.value for kind in ("toggle", "select_slider", "number_input", "slider")
             for widget in state.main.get(kind)}  # fmt: skip
    for field, value in vars(settings).items():
        key = switches.CONTROLS.get(field, field)
        if key in values:
            assert values[key] == value, field
    assert {"d_ff", "training_steps", "gated", "key_value_heads", "sentences"} <= values.keys()
    assert check_settings.check(settings).seconds < 1800


@pytest.mark.parametrize(
    ("language", "task", "says"), [("en", "grammar", "German"), ("zh", "chinese", "中文"), ("es", "spanish", "español")]
)
def test_the_training_reads_the_language_of_the_user(language: str, task: str, says: str) -> None:
    app = visit("llm", language)
    link = next(link for link in app.main.get("page_link") if link.proto.page == "train")
    assert f"task={task}" in link.proto.query_string.split("&")
    assert any(says in caption.value for caption in app.caption)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_measured_table_says_what_the_cards_say(language: str) -> None:
    app = visit("llm", language, show="measured")
    table = next(html.proto.body for html in app.main.get("html") if "gf-plain" in html.proto.body)
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)</t", row) for row in table.split("<tr>")[2:]]
    assert len(rows) == len(llm_changes.series())
    for row, name in zip(rows, llm_changes.series(), strict=True):
        card = Entry(SAMPLES / name).card
        losses = card["training"]["target_loss"].values()
        assert row[1] == f"{sum(losses) / len(losses):.3f}"
        assert row[2] == f"{card['scores']['grammar']['exact']:.0%}"
        assert row[3] == f"{card['parameters']['total']:,}"
    links = [link.proto.query_string for link in app.main.get("page_link") if link.proto.page == "attention"]
    assert [re.search(r"checkpoint=([^&]+)", link)[1] for link in links] == list(llm_changes.series())


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", llm_changes.NAMES)
def test_each_change_leads_to_a_model_that_has_it(name: str) -> None:
    from pages.llm.explained import DOORS

    app = visit("llm", about=name)
    assert sentence("en", f"llm_about.{name}") in [text.value for text in app.main.text]
    door, choices = DOORS[name]
    links = [link.proto for link in app.main.get("page_link") if link.proto.page == door]
    address = dict(part.split("=", 1) for part in links[0].query_string.split("&"))
    assert choices.items() <= address.items()
    assert name in llm_changes.series()[address["checkpoint"]]
    assert said(visit(door, **address)) == []


def test_a_server_without_these_models_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm_changes, "series", lambda: {"llm-none": ()})
    app = visit("llm", show="measured")
    assert sentence("en", "llm.no_models") in [text.value for text in app.main.text]
