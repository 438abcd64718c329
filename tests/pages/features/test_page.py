"""The page of features: what it shows follows from the dictionary and the model, and names stay text."""

import json
import re
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.decode.translate import translate
from model.errors import InvalidInput
from model.features import effects, sites, toy
from model.features.store import Stored
from model.train.report import RunReport
from pages.features import beside
from pages.shared.text.notices import plain
from pages.shared.text.words import all_texts
from pages.shared.ui import folder_command
from tests.app import click, controls, inside, said, sentence, table, visit
from tests.pages.features.conftest import CARD, SITE
from tests.pages.pretended_queue import Queue, queue
from tests.samples import KINO, LANGUAGES, SAMPLES, german_english, in_turn
from viz.data import Matrix

__all__ = ["queue"]
pytestmark = pytest.mark.usefixtures("warm")
PLACE = f"de-en/{SITE}"


def tiles(app: AppTest) -> list[tuple[int, float]]:
    """Number and strength of each tile."""
    html = [element.proto.body for element in app.main.get("html") if "gf-feature" in element.proto.body]
    found = [re.search(r"<b>(\d+) · .*?</b><i>([\d.]+)</i>", each, re.DOTALL) for each in html]
    return [(int(match[1]), float(match[2])) for match in found if match]


def strengths(stored: Stored, row: int, text: str = KINO) -> dict[int, float]:
    """The strengths of the active features of a token, without `Dictionary.encode`."""
    vectors = torch.from_numpy(translate(german_english(), text).trace.values[SITE])
    own = stored.dictionary
    scores = own.encoder @ (vectors[row] - own.mean) + own.encoder_bias
    best = scores.sort(descending=True).indices[: own.active].tolist()
    return {number: float(scores[number]) for number in best if scores[number] > 0}


# the toy


@pytest.mark.sample(3)
@in_turn(("sparsity", "regime"), [(0.0, "dedicated"), (0.7, "pairs"), (0.97, "shared")])
def test_the_toy_is_trained_and_what_it_became_is_said(sparsity: float, regime: str, language: str) -> None:
    app = visit("features", language, sparsity=f"{sparsity:g}")
    directions = toy.trained(toy.Toy(sparsity=sparsity))
    rows = table(app, "features-toy")
    assert rows[["x", "y"]].to_numpy() == pytest.approx(directions, abs=1e-4)
    regimes = toy.regimes(directions)
    counts = {"count": regimes.count(regime), "left_out": regimes.count("none")}
    assert sentence(language, f"features_toy.{regime}", **counts) in inside(app, "figure_toy")
    size = german_english().model.config.d_model
    assert sentence(language, "features_toy.bridge", size=size) in [each.value for each in app.main.caption]


# the sentence in features


@in_turn("row", [1, 3])
def test_the_active_features_of_a_token_are_those_of_the_dictionary(stored: Stored, row: int, language: str) -> None:
    app = visit("features", language, show="sentence", token=str(row))
    expected = strengths(stored, row)
    assert [number for number, _ in tiles(app)] == list(expected)
    assert dict(tiles(app)) == pytest.approx(expected, abs=0.06)
    assert said(app) == []


def test_a_click_on_a_tile_shows_its_feature_and_another_token_begins_anew(stored: Stored) -> None:
    app = visit("features", show="sentence", token="1")
    chosen = list(strengths(stored, 1))[1]
    click(app, "pick_1")
    assert app.query_params["feature"] == str(chosen)
    assert app.selectbox(key="feature").value == chosen
    controls(app)["token"].set_value(3).run()
    assert "feature" not in app.query_params
    assert app.selectbox(key="feature").value == next(iter(strengths(stored, 3)))


def test_the_sentences_are_those_of_a_search_through_all(stored: Stored) -> None:
    given = stored.activations
    feature = int(given.share().argmax())
    app = visit("features", show="sentence", feature=str(feature))
    every = [
        (float(s), int(given.sentence[n]), int(given.row[n]))
        for n in range(len(given.features))
        for f, s in zip(given.features[n], given.strengths[n], strict=True)
        if f == feature and s > 0
    ]
    best: dict[int, tuple[float, int]] = {}
    for strength, number, row in every:
        best[number] = max(best.get(number, (0.0, 0)), (strength, row))
    order = sorted(best.items(), key=lambda each: -each[1][0])
    shown = "\n".join(inside(app, "figure_feature"))
    for number, (strength, _) in (*order[:6], *order[-3:]):
        line = f"{strength:.1f}{given.sentences[number]}"
        assert line in re.sub(r"\n|<[be]os> ?", "", shown), line


def test_words_neighbours_and_heads_are_those_of_the_model(stored: Stored, drawn: dict[str, Matrix]) -> None:
    checkpoint, feature = german_english(), next(iter(strengths(stored, 1)))
    site = sites.find(checkpoint.model.config, SITE)
    address = {"show": "sentence", "feature": str(feature)}
    [body] = [
        each.proto.body for each in visit("features", about="words", **address).main.get("html")
        if "gf-plain" in each.proto.body
    ]  # fmt: skip
    direct = effects.words(checkpoint.tokenizer, effects.direct(checkpoint, site, stored.dictionary, feature))
    assert re.findall(r'<th scope="row">([^<]*)</th>', body) == [token.replace("'", "&#39;") for _, token, _ in direct]
    directions = stored.dictionary.decoder.T.numpy()
    cosines = directions @ directions[feature]
    rows = table(visit("features", about="near", **address), "feature-neighbours")
    assert rows["value"].tolist() == pytest.approx(sorted(cosines, reverse=True)[1:7], abs=1e-3)
    visit("features", about="heads", **address)
    values = {
        (each.layer, each.head): each.value for each in effects.heads(checkpoint, site, stored.dictionary, feature)
    }
    assert drawn["cross"].values == pytest.approx(
        np.array([[values[layer, head] for head in range(4)] for layer in range(3)])
    )


# names


def test_a_name_stands_in_the_link_and_goes_with_an_empty_one(stored: Stored) -> None:
    number = next(iter(strengths(stored, 1)))
    app = visit("features", show="sentence", token="1")
    app.text_input(key="feature_name").set_value("who: goes; <b>x</b> **x**").run()
    assert app.query_params["names"] == f"{number}:who goes <b>x</b> **x**:{PLACE}"
    again = visit("features", "zh", show="sentence", token="1", names=app.query_params["names"])
    assert f"{number} · who goes <b>x</b> **x**" in "".join(inside(again, "tile_chosen"))
    assert again.text_input(key="feature_name").value == "who goes <b>x</b> **x**"
    assert plain("who goes <b>x</b> **x**") in again.subheader[0].value
    again.text_input(key="feature_name").set_value(" ").run()
    assert "names" not in again.query_params


def test_many_names_leave_room_in_the_link_and_others_are_not_read(stored: Stored) -> None:
    names = ";".join(f"{number}:{'n' * 40}:{PLACE}" for number in range(8))
    app = visit("features", show="sentence", token="1", feature="40", names=names)
    app.text_input(key="feature_name").set_value("last").run()
    assert len(app.query_params["names"]) <= 500
    assert app.query_params["names"].endswith(f"40:last:{PLACE}")
    for bad in ("x", "1:2", "99999999:name:de-en", f"²:name:{PLACE}", ";;::;"):
        app = visit("features", show="sentence", names=bad)
        assert "name" not in "".join(inside(app, "tile_"))


@in_turn("key", ["evidence"])
def test_a_name_of_the_dictionary_says_its_evidence(stored: Stored, key: str, language: str) -> None:
    app = visit("features", language, show="sentence", feature="7")
    name = all_texts(language)["features_name.not"]
    values = {"name": name, "precision": "90%", "low": "75%", "high": "100%", "active": 20, "recall": "80%",
              "least": "80%"}  # fmt: skip
    assert sentence(language, f"features_one.{key}", **values) in [each.value for each in app.main.caption]
    assert app.selectbox(key="feature").value == 7


def test_a_feature_that_is_not_there_is_said(stored: Stored) -> None:
    assert len(said(visit("features", show="sentence", feature="64"))) == 1


# steering


def output(language: str, app: AppTest) -> str:
    """The changed output."""
    [both] = [text for text in inside(app, "figure_steer") if all_texts(language)["intervene_outputs.after"] in text]
    return both.split(all_texts(language)["intervene_outputs.after"])[1].replace("<eos>", "").strip()


def written(ids: Sequence[int]) -> str:
    """The tokens of an output without its end."""
    return " ".join(german_english().tokenizer.tokens(ids, begins=True)).replace("<eos>", "").strip()


@in_turn(("where", "strength"), [("all", -1.5), ("2", 1.5)])
def test_a_steered_output_is_that_of_the_shifted_vector(
    stored: Stored, where: str, strength: float, language: str
) -> None:
    feature = next(iter(strengths(stored, 2)))
    app = visit("features", language, show="steer", steer="own", feature=str(feature), where=where,
                strength=f"{strength:g}")  # fmt: skip
    assert said(app) == []
    shift = strength * float(stored.activations.maxima()[feature]) * stored.dictionary.decoder[:, feature]

    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        if name != SITE:
            return value
        rows = torch.ones(value.size(1), 1) if where == "all" else torch.eye(value.size(1))[:, int(where), None]
        return value + rows * shift

    expected = translate(german_english(), KINO, tap=tap)
    assert output(language, app) == written(expected.ids)


def test_without_strength_nothing_changes(stored: Stored) -> None:
    app = visit("features", show="steer", steer="own", strength="0")
    assert table(app, "features-steered")["change"].abs().max() == 0
    assert output("en", app) == written(translate(german_english(), KINO).ids)


@in_turn("way", ["suggested"])
def test_a_suggestion_says_how_often_it_worked_and_offers_its_example(stored: Stored, way: str, language: str) -> None:
    app = visit("features", language, show="steer", steer="polite")
    suggestion = CARD["suggestions"][0]
    values = {"success": "83%", "low": "75%", "high": "90%", "sentences": 100, "least": "20%"}
    assert sentence(language, "features_steer.success", **values) in [each.value for each in app.main.caption]
    assert table(app, "features-success")["share"].tolist() == pytest.approx(suggestion["curve"])
    click(app, "try_example")
    assert app.query_params["sentence"] == suggestion["example"][0]


def test_the_first_suggestion_is_one_about_a_token_of_the_sentence_whose_strongest_feature_it_takes_away(
    stored: Stored,
) -> None:
    app = visit("features", show="steer")
    assert controls(app)["steer"].value == "tomorrow"
    row, own = 3, stored.dictionary
    feature, strength = next(iter(strengths(stored, row).items()))
    shift = 6.0 * own.decoder[:, 9] - strength * own.decoder[:, feature]

    def tap(name: str, value: torch.Tensor) -> torch.Tensor:
        return value + torch.eye(value.size(1))[:, row, None] * shift if name == SITE else value

    ids = translate(german_english(), KINO, tap=tap).ids
    assert output("en", app) == written(ids)
    assert sentence("en", "features_steer.no_place") in inside(
        visit("features", show="steer", steer="tomorrow", sentence="Wo ist das Buch?"), "figure_steer"
    )


# beside


@in_turn("column", ["unexplained"])
def test_the_table_has_the_recorded_scores_and_says_where_a_random_model_is_as_good(
    stored: Stored, column: str, language: str
) -> None:
    app = visit("features", language, show="beside")
    texts = inside(app, "figure_beside")
    cells = "".join(texts)
    for name in ("dictionary", "random_model", "components", "neurons"):
        assert all_texts(language)[f"features_beside.{name}"] in cells
        mean, low, high = (f"{100 * each:.1f}%" for each in CARD["scores"][name][column])
        assert sentence(language, "features_beside.interval", mean=mean, low=low, high=high) in cells
    assert sentence(language, "features_beside.random_alike", own="40%", other="55%") in texts
    assert sentence(language, "features_beside.seeds", shared="62%", limit="0.7") in texts


@in_turn("show", ["sentence", "steer", "beside"])
def test_without_a_dictionary_the_page_says_how_to_make_one(stored: Stored, show: str, language: str) -> None:
    app = visit("features", language, checkpoint="reverse", show=show)
    assert app.code[0].value == ".venv/bin/python -m model features reverse --save"
    click(app, "other_model")
    assert app.query_params["checkpoint"] == "de-en"
    assert inside(app, "figure_missing") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_shipped_dictionaries_name_and_suggest_has_a_text(language: str) -> None:
    cards = [json.loads(file.read_text(encoding="utf-8")) for file in SAMPLES.glob("*/features.*.json")]
    assert len(cards) >= 4
    for card in cards:
        for table_name in ("names", "suggestions"):
            keys = {f"features_{table_name[:-1]}.{each['name']}" for each in card[table_name]}
            assert keys <= set(all_texts(language))


# training


def report(step: int, **numbers: float) -> RunReport:
    return RunReport(step, 100, numbers["unexplained"], 1e-3, 0, 1, 8, 37, 0, measured=numbers)


def test_a_run_is_queued_watched_and_stopped(stored: Stored, queue: Queue) -> None:
    app = visit("features", show="train", active="4", seed_run="5")
    click(app, "train_features")
    assert queue.task is not None
    assert (queue.task.site, queue.task.features, queue.task.active, queue.task.seed) == (SITE, 1152, 4, 5)
    assert queue.task.folder.endswith("de-en")
    queue.state = "running"
    queue.reports = (report(50, unexplained=0.5, dead=0.25), report(100, unexplained=0.25, dead=0.125, spliced=90.0))
    app.run()
    assert app.button(key="train_features").disabled
    rows = table(app, "features-training")
    assert rows["share"].tolist() == [0.5, 0.25, 0.25, 0.125, 0.9]
    click(app, "stop")
    assert not app.button(key="train_features").disabled
    texts = inside(app, "figure_train")
    assert sentence("en", "features_train.result", unexplained="25.0%", dead="12.5%") in texts
    assert sentence("en", "features_train.result_spliced", spliced="90.0") in texts


def test_a_run_of_a_model_that_writes_nothing_has_no_score(stored: Stored, queue: Queue) -> None:
    app = visit("features", show="train")
    click(app, "train_features")
    queue.state, queue.reports = "stopped", (report(100, unexplained=0.25, dead=0.125),)
    app.run()
    assert sentence("en", "features_train.result", unexplained="25.0%", dead="12.5%") in inside(app, "figure_train")
    assert not any("chrF" in text for text in inside(app, "figure_train"))


@in_turn("show", ["sentence", "train"])
def test_no_command_is_said_for_a_model_outside_the_checkpoint_folder(
    stored: Stored, monkeypatch: pytest.MonkeyPatch, show: str, language: str
) -> None:
    monkeypatch.setattr(folder_command, "catalogue", SimpleNamespace(entries=dict))
    app = visit("features", language, checkpoint="reverse", show=show)
    assert sentence(language, "features.no_command") in [each.value for each in app.main.caption]
    assert list(app.code) == []


def test_a_full_queue_says_so(stored: Stored, queue: Queue) -> None:
    queue.refusal = InvalidInput("job_full")
    assert len(said(click(visit("features", "zh", show="train"), "train_features"))) == 1


def test_the_last_step_of_the_course_leads_here(stored: Stored) -> None:
    app = click(visit("course", step="explain"), "details")
    assert [title.value for title in app.title] == [sentence("en", "features.question")]
    assert app.query_params["show"] == "sentence"


@pytest.mark.parametrize("name", ["de-en", "zh-en", "dates", "addition"])
def test_recorded_intervals_hold_their_mean_and_lie_within_the_range_of_chrf(name: str) -> None:
    card = json.loads((SAMPLES / name / "features.encoder.output.json").read_text(encoding="utf-8"))
    scores = [score["chrf"] for score in card["scores"].values() if isinstance(score, dict) and "chrf" in score]
    assert len(scores) >= 4
    assert all(0 <= low <= mean <= high <= 100 for mean, low, high in scores)


@pytest.mark.parametrize(
    ("own", "other", "said_as"),
    [
        ((0.5952, 1077), (0.4996, 1139), "fewer"),
        ((0.5952, 107), (0.4996, 113), "unclear"),
        ((0.5952, None), (0.4996, None), "unclear"),
        ((0.449, 1138), (0.4583, 1152), "alike"),
    ],
)
def test_a_random_model_has_fewer_features_of_one_token_only_where_intervals_are_apart(
    own: tuple[float, int | None], other: tuple[float, int | None], said_as: str
) -> None:
    scores = {
        name: {"same_token": share, "unexplained": [left]} | ({"alive": count} if count else {})
        for name, (share, count), left in (("dictionary", own, 0.1), ("random_model", other, 0.2))
    }
    values = {"own": f"{own[0]:.0%}", "other": f"{other[0]:.0%}"}
    assert beside._says(scores) == [sentence("en", f"features_beside.random_{said_as}", **values)]
