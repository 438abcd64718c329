"""The first page in a browser: the output plays, word by word, with its lines; the whole menu is in view."""

import pytest
from playwright.sync_api import expect

from pages.shared.session import page_list
from pages.shared.text.words import all_texts
from pages.start.output_so_far import written
from tests.browser import MOTION, Visits, figure, path, run, tokens, type_sentence
from tests.films import FIRST, LAST, MOST, plays, save
from tests.samples import KINO
from viz.palette import SURFACE

EN = all_texts("en")
TIRED = "Ich bin müde."


RECORD = """figure => {
    window.steps = [];
    window.told = [];
    const note = () => {
        window.steps.push(figure.querySelector(".gf-written").textContent);
        window.told.push([figure.dataset.playing, figure.querySelector("[role=status]").getAttribute("aria-live")]);
    };
    new MutationObserver(note).observe(figure, { attributes: true, attributeFilter: ["data-step"] });
}"""


def test_a_typed_sentence_is_written_token_by_token(visit: Visits) -> None:
    page = visit.again("/", **MOTION)
    figure(page).evaluate(RECORD)
    type_sentence(page, TIRED)
    expect(page.locator(".gf-written")).to_have_text(run(TIRED).text)
    expect(figure(page)).to_have_attribute("data-playing", "false")
    expect(tokens(page, "query").last).to_be_visible()
    seen = list(dict.fromkeys(page.evaluate("window.steps")))
    assert set(map(tuple, page.evaluate("window.told"))) == {("true", "off"), ("false", "polite")}  # heard at the end
    steps = list(dict.fromkeys(written(run(TIRED).text, run(TIRED).trace.output_tokens)))
    assert seen[-len(steps) :] == steps


def test_a_step_shows_the_lines_of_its_token(visit: Visits) -> None:
    page = visit.again(path("start", sentence=KINO))
    trace = run(KINO).trace
    expect(figure(page)).to_have_attribute("data-playing", "false")
    expect(page.locator(".gf-written")).to_have_text(run(KINO).text)  # at once, where no motion is wanted
    expect(tokens(page, "query").last).to_be_visible()
    back = page.get_by_role("button", name=EN["attention_figure.back"])
    for step in range(len(trace.output_tokens) - 2, 3, -1):
        back.click()
        expect(figure(page).get_by_role("status")).to_contain_text(f"{trace.output_tokens[step]} → ")
        expect(tokens(page, "query").nth(step + 1)).to_be_hidden()
    tokens(page, "key").nth(0).hover()  # whoever points at a token sees the whole output
    expect(tokens(page, "query").last).to_be_visible()


def test_the_film_shows_each_token_as_it_is_written(visit: Visits) -> None:
    page = visit.again(path("start", sentence=KINO), color_scheme="dark")
    trace = run(KINO).trace
    page.locator(".gf-take:not(.gf-page) summary").first.click()
    kind, layer, head = (figure(page).get_attribute(f"data-{name}") for name in ("kind", "layer", "head"))
    film = save(page, page.locator(".gf-film"), f"glassformer-de-en-{kind}-layer{layer}-head{head}.gif")
    plays(page, film, film.line(0), written(run(KINO).text, trace.output_tokens))
    assert film.frames[0].shape == (504, 960, 3)  # as previews of links are
    assert "#" + bytes(film.frames[0][0, 0]).hex() == SURFACE["dark"]["card"]
    each = min(1150, (MOST - FIRST - LAST) // len(trace.output_tokens) // 10 * 10)
    assert sum(film.durations) == FIRST + each * len(trace.output_tokens) + LAST


@pytest.mark.thorough
def test_the_whole_menu_is_in_view(visit: Visits) -> None:
    for language in ("en", "zh", "es"):
        page = visit.again(path("attention", language=language), viewport={"width": 1280, "height": 800})
        last = page.locator(".gf-contents a").last
        expect(page.locator('[data-testid="stSidebar"] a')).to_have_count(len(page_list.pages()))
        expect(last).to_be_in_viewport(ratio=1)
