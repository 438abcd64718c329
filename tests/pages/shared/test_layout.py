"""Layout of all pages: steps to try and tours, the way back and the way on, the start, and the first moment."""

import json
import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from model.errors import InvalidInput
from model.tokenization.tokenizer import CHARACTER_LIMIT
from pages.shared.server import page_html
from pages.shared.session import language_choice, page_list
from pages.shared.session.view import KEPT
from pages.shared.text.words import all_texts
from pages.shared.ui import reserved_space
from tests.app import CARD, PAGES, click, contents, enter, inside, keys, said, sentence, visit
from tests.samples import KINO, LANGUAGES, ROOT, SAMPLES, either_language, german_english
from viz.html.style import style
from viz.palette import style_sheet

pytestmark = pytest.mark.usefixtures("warm")

UNSEEN = [f"Zwerchfell{end}" for end in ("kram", "krim", "krum", "krom", "krem", "kräm", "krüm", "kröm")]


def pointed(app: AppTest) -> list[str]:
    """The containers that this run brings into view."""
    bodies = [element.proto.body for element in app.main.get("html") if "scrollIntoView" in element.proto.body]
    return [key for body in bodies for key in re.findall(r"'\.st-key-([\w-]+)', \w+, \d+\)", body)]


def steps(app: AppTest) -> list[str]:
    return [button.key or "" for button in app.main.button if (button.key or "").startswith("try_")]


def address(app: AppTest) -> dict[str, object]:
    return {key: value[0] if isinstance(value, list) else value for key, value in app.query_params.items()}


# steps and tours


@pytest.mark.sample(6)
@pytest.mark.parametrize("page", [name for name, page in page_list.pages().items() if page.steps])
def test_each_step_leads_once_to_what_it_changes_and_can_be_taken_back(page: str) -> None:
    app = visit(page)
    before = address(app)
    assert steps(app), "every page that shows something has steps to try"
    assert pointed(app) == []
    assert "put_back" not in [button.key for button in app.main.button]
    for step in steps(app):
        click(app, step)
        [at] = pointed(app)
        assert at in keys(app), f"{step} points at {at}, which is not on the page"
        if step == steps(app)[0]:
            app.run()  # a later run of the same page does not move it
            assert pointed(app) == []
        if address(app) != before:  # a step may set what was the default
            click(app, "put_back")
        assert address(app) == before
        assert pointed(app) == []
        assert "put_back" not in [button.key for button in app.main.button]


def test_a_second_click_on_a_step_leads_there_again() -> None:
    """The browser runs no script twice: each has to differ from the one before."""
    app = visit("position")
    bodies = []
    for _ in range(2):
        click(app, steps(app)[0])
        bodies += [element.proto.body for element in app.main.get("html") if "scrollIntoView" in element.proto.body]
    assert len(bodies) == len(set(bodies)) == 2


def test_a_switched_model_is_put_back_with_the_place_in_it() -> None:
    app = visit("layers", layer="2", head="3", side="decoder")
    before = address(app)
    click(app, "try_3")
    assert address(app)["checkpoint"] == "untrained-paper"
    assert {"layer", "head"} & set(address(app)) == set()
    assert said(app) == []
    click(app, "put_back")
    assert address(app) == before


def test_the_first_of_several_steps_knows_what_was_before() -> None:
    app = visit("energy", show="claim", unscaled="1", d_model="512")
    before = address(app)
    for step in steps(app):
        click(app, step)
    click(app, "put_back")
    assert address(app) == before


def test_what_no_step_changed_stays_when_it_is_put_back() -> None:
    app = click(visit("energy"), "try_2")
    enter(app, "Wo ist das Buch?")
    click(app, "put_back")
    assert address(app) == {"language": "en", "sentence": "Wo ist das Buch?"}


def test_a_step_of_intervene_leads_to_its_result_and_can_be_taken_back() -> None:
    app = visit("intervene")
    before = address(app)
    click(app, next(step for step in steps(app) if step not in ("try_matters", "try_idle")))  # which search first
    assert "changes" in address(app)
    assert pointed(app) == ["figure_result"]
    click(app, "put_back")
    assert address(app) == before


@pytest.mark.sample(12)
@pytest.mark.parametrize("page", [page for page in PAGES if page != "checkpoints"])
def test_the_end_of_a_tour_puts_back_what_was_before(page: str) -> None:
    app = visit(page)
    if "tour_start" not in [button.key for button in app.main.button]:
        pytest.skip("no tour")
    before = address(app)
    click(app, "tour_start")
    assert len(pointed(app)) == 1
    while "tour_next" in [button.key for button in app.main.button]:
        click(app, "tour_next")
        assert len(pointed(app)) == 1
    app.run()
    assert pointed(app) == []
    click(app, "tour_end")
    assert address(app) == before
    assert "tour" not in keys(app)


@pytest.mark.parametrize("page", ["masks", "energy", "layers"])  # whose steps open a model that has learnt nothing
def test_a_tour_shows_a_model_that_has_learnt_what_it_speaks_of(page: str) -> None:
    app = visit(page, checkpoint="untrained-gpt", seed=3)
    before = address(app)
    assert before["checkpoint"] == "untrained-gpt"
    click(app, "tour_start")
    assert "checkpoint" not in address(app)
    click(app, "tour_end")
    assert address(app) == before


def test_a_tour_shows_a_user_a_model_of_their_language() -> None:
    app = click(visit("energy", "zh", checkpoint="untrained-gpt"), "tour_start")
    assert address(app)["checkpoint"] == "zh-en"


@pytest.mark.parametrize(
    ("language", "asked", "read"),
    [
        ("zh", "", "我在图书馆看书。"),
        ("en", "", KINO),
        ("en", "我是学生。", "我是学生。"),
        ("zh", KINO, KINO),
    ],
)
def test_an_untrained_model_reads_the_language_of_the_sentence_or_else_of_the_user(
    language: str, asked: str, read: str
) -> None:
    app = visit("embedding", language, checkpoint="untrained-gpt", **({"sentence": asked} if asked else {}))
    assert app.text_input(key="sentence").value == read
    assert not [text for text in said(app) if "<unk>" in text]
    chips = "".join(element.proto.body for element in app.main.get("html"))
    assert "&lt;unk&gt;" not in chips


def test_a_tour_that_a_link_opens_leads_there_and_ends() -> None:
    app = visit("energy", tour="3", show="tokens")
    assert pointed(app) == ["figure_tokens"]
    assert sentence("en", "page.tour_of", number=3, count=5) in [caption.value for caption in app.caption]
    click(app, "tour_end")
    assert address(app) == {"language": "en", "show": "tokens"}


def test_leaving_the_page_does_not_forget_what_was_before() -> None:
    app = click(visit("energy"), "try_2")
    assert address(app)["checkpoint"] == "untrained-pre-norm"
    query = contents(app)[sentence("en", "pages.energy")]
    app.switch_page("attention/page.py").run()
    app.switch_page("energy/page.py")
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    click(app, "put_back")
    assert "checkpoint" not in address(app)


# the way on


def test_a_page_that_cannot_be_shown_still_leads_on() -> None:
    app = visit("masks", sentence="a" * 2000)
    assert [link.proto.label for link in app.main.get("page_link")] == ["Next: Layers →"]


# the start


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start_says_what_this_is_and_offers_three_sentences(language: str) -> None:
    app = visit("start", language)
    assert inside(app, "to_course") == [sentence(language, "start.about")]
    links = {link.proto.label: link.proto.page for link in app.main.get("page_link")}
    assert links[sentence(language, "start.course")] == "course"
    examples = [app.button(key=f"example_{number}") for number in range(3)]
    assert [button.label.replace("\\", "") for button in examples] == CARD["examples"][:3]
    click(app, "example_1")
    assert inside(app, "source") == [CARD["examples"][1]]


@either_language
def test_every_example_of_the_card_has_a_meaning_that_the_page_does_not_tell_in_advance(language: str) -> None:
    meanings = {example: all_texts(language)[f"gloss.{example}"] for example in CARD["examples"]}
    assert len(set(meanings.values())) == len(CARD["examples"])
    app = visit("start", language)
    for number, example in enumerate(CARD["examples"][:3]):
        assert app.button(key=f"example_{number}").help == meanings[example]
    assert not [caption for caption in app.main.caption if meanings[KINO] in caption.value]


@either_language
def test_the_start_says_that_the_model_is_a_beginner_and_where_its_card_is(language: str) -> None:
    for model, source in (("de-en", "de"), ("zh-en", "zh")):
        app = visit("start", language, checkpoint=model)
        recorded = json.loads((SAMPLES / model / "ordinary.json").read_text(encoding="utf-8"))
        numbers = {"words": f"{recorded['words']:,}", "right": round(100 * recorded["right"][0])}
        line = sentence(language, "start.beginner", source=sentence(language, f"languages.{source}"), **numbers)
        assert line in [caption.value for caption in app.main.caption]
        [link] = [each.proto for each in app.main.get("page_link") if "card=" in each.proto.query_string]
        assert f"card={model}&show=knows" in link.query_string
    for model in ("untrained-paper", "dates", "llm-2017", "gpt-char"):
        assert inside(visit("start", language, checkpoint=model), "beginner") == []


def test_the_number_of_tokens_is_told_where_the_limit_is_near() -> None:
    def counts(text: str) -> list[str]:
        captions = [caption.value for caption in visit("start", sentence=text).main.caption]
        return [caption for caption in captions if "limit" in caption]

    assert counts(KINO) == []
    assert counts("Wir gehen heute ins Kino. " * 8) == [sentence("en", "frame.count", count=50, limit=96)]


def test_the_sidebar_of_the_start_says_nothing_of_a_sentence() -> None:
    assert not visit("start").sidebar.caption
    assert visit("attention", sentence="Wir gehen heute ins Kino. " * 8).sidebar.caption


# what is said about a sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_many_more_stands_with_the_words_it_counts(language: str) -> None:
    sentence_ = "Wir gehen heute ins Kino und ich lese ein Buch"
    [notice] = said(visit("start", language, sentence=f"{sentence_} {' '.join(UNSEEN)}."))
    more = sentence(language, "notice.more", count=6)
    assert f"“{UNSEEN[1]}”{more}" in notice
    assert UNSEEN[2] not in notice


@either_language
def test_the_mark_of_a_space_is_explained_where_it_is_shown(language: str) -> None:
    def captions(typed: str) -> str:
        return "\n".join(caption.value for caption in visit("attention", language, sentence=typed).sidebar.caption)

    assert "␣" in german_english().tokenizer.tokens(german_english().tokenizer.encode("20 °C"))
    assert sentence(language, "frame.space") in captions("20 °C")
    assert "␣" not in captions(KINO)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_with_too_many_characters_is_said_with_both_numbers(language: str) -> None:
    app = visit("start", language, sentence="a" * (CHARACTER_LIMIT + 1))
    [notice] = said(app)
    numbers = {"count": f"{CHARACTER_LIMIT + 1:,}", "limit": f"{CHARACTER_LIMIT:,}"}
    assert all(number in notice for number in numbers.values())
    assert sentence(language, "frame.characters", **numbers) in [caption.value for caption in app.main.caption]


@pytest.mark.parametrize("by_link", [True, False])
def test_a_text_of_megabytes_is_cut_before_it_is_read(by_link: bool) -> None:
    text = KINO * 10_000  # Streamlit ignores an address of more than 524,288 characters
    app = visit("start", sentence=text) if by_link else enter(visit("start"), text)
    assert app.text_input(key="sentence").value == text[:KEPT]
    numbers = {"count": f"{KEPT:,}", "limit": f"{CHARACTER_LIMIT:,}"}
    assert str(InvalidInput("sentence_characters", **numbers)) in said(app)


def test_so_is_a_setting_and_an_address_of_many_parameters() -> None:
    app = visit("glossary", find="x" * 10**5, **{f"a{number}": "1" for number in range(900)})
    assert app.text_input(key="find").value == ""
    assert len(app.query_params) < 10
    app.text_input(key="find").set_value("y" * 10**6).run()
    assert set(app.query_params["find"]) == {"y"}
    assert len(app.query_params["find"]) < KEPT


# the first moment of a page


def _site() -> TestClient:
    page = "<html lang=\"en\"><head><title>x</title></head><body><div id='root'></div></body></html>"

    async def html(request: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"etag": "1"}, status_code=int(request.query_params.get("status", "200")))

    async def numbers(request: Request) -> JSONResponse:
        return JSONResponse({"page": "</head></body>"}, headers={"etag": "1"})

    routes = [Route("/", html), Route("/numbers", numbers)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(page_html.PageHtml)]))


def test_a_page_comes_with_the_style_behind_all_else() -> None:
    answer = _site().get("/", headers={"accept": "text/html,*/*", "if-none-match": "1"})
    folder = ROOT / "pages" / "shared" / "server" / "frontend"
    frame, placeholders, print_ = (style_sheet(folder / f"{name}.css") for name in ("frame", "placeholders", "print"))
    pages = [file for name in PAGES if (file := page_list.folder_of(name) / "placeholders.css").is_file()]
    own = "\n".join(map(style_sheet, pages))
    whole = f"{frame}\n{placeholders}\n{own}\n{style()}\n{reserved_space.rules()}\n{print_}"
    _, body = answer.text.split("</head>")
    assert f"<div id='root'></div><style>{whole}</style>" in body
    # a server that is gone cannot
    assert all(all_texts(code)["notice.away"] in body for code in language_choice.names())
    assert int(answer.headers["content-length"]) == len(answer.content)
    assert "etag" not in answer.headers  # else a browser would keep the page with an older style


@pytest.mark.parametrize(
    ("address", "asked", "tag"),
    [
        ("/", "", "en"),
        ("/", "zh-CN,en;q=0.5", "zh-CN"),
        ("/?language=en", "zh-CN", "en"),
        ("/?language=zh", "de", "zh-CN"),
    ],
)
def test_a_page_says_its_language_before_it_is_drawn(address: str, asked: str, tag: str) -> None:
    answer = _site().get(address, headers={"accept": "text/html", "accept-language": asked})
    assert answer.text.startswith(f'<html lang="{tag}" ')


@pytest.mark.parametrize(
    ("path", "name", "there"),
    [
        ("/", "start", "model"), ("/train", "train", "language"), ("/masks", "masks", "sentence"),
        ('/"><b', "&quot;&gt;&lt;b", "sentence"),
    ],
)  # fmt: skip
def test_a_page_says_its_name_and_what_its_sidebar_has_before_it_is_drawn(path: str, name: str, there: str) -> None:
    page = page_html.completed(b'<html lang="en">', path, "en").decode()
    assert page.startswith(f'<html lang="en" dir="ltr" data-page="{name}" data-sidebar="{there}">')


def test_a_rule_for_many_classes_names_what_it_is_about() -> None:
    """Else a browser styles all that stands below an element anew whenever its class changes: with every run."""
    for rule in re.findall(r"[^{}]+(?=\{)", page_html.completed(b"</body>", "/", "en").decode()):
        for selector in re.split(r",(?![^(]*\))", rule):
            about = re.split(r"[ >+~]+(?![^(]*\))", selector.strip())[-1]
            vague = re.match(r"(\*|div\b|span\b|:(is|where)\()", about)
            assert not ("[class*=" in selector and vague), selector
            assert "data-test-script-state" not in selector or about.startswith("."), selector


def test_what_is_no_page_goes_through_as_it_is() -> None:
    site = _site()
    numbers = site.get("/numbers", headers={"accept": "text/html"})
    assert numbers.json() == {"page": "</head></body>"}
    assert numbers.headers["etag"] == "1"
    assert "<style>" not in site.get("/", headers={"accept": "application/json"}).text
    assert "<style>" not in site.get("/?status=404", headers={"accept": "text/html"}).text
