"""The version of a lesson whose figures are pictures, in the browser: it can be read, and not touched."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import EN, Visits, accessible, idle, path
from tests.pages.classroom.test_browser import joined, started

# what can take the focus in the part of the page that shows figures, also in shadow roots, by its text
TOUCHABLE = """() => {
    const kinds = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";
    const inside = root => [...root.querySelectorAll("*")].flatMap(node => [
        ...(node.matches(kinds) ? [node] : []), ...(node.shadowRoot ? inside(node.shadowRoot) : []),
    ]);
    const hosts = node => node ? [node, ...hosts(node.getRootNode().host)] : [];
    return inside(document.querySelector("[data-testid=stMain]"))
        .filter(node => node.checkVisibility({ visibilityProperty: true }) && node.getBoundingClientRect().width > 1)
        .filter(node => !hosts(node).some(each => each.closest("[inert]")))
        .filter(node => !hosts(node).some(each => each.closest(".st-key-class_bar, .gf-picture")))
        .map(node => node.innerText || node.ariaLabel || node.tagName);
}"""


@pytest.mark.thorough
def test_the_picture_version_of_a_lesson_cannot_be_touched(visit: Visits) -> None:
    teacher, link = started(visit)
    students = [joined(visit, link) for _ in range(2)]

    def now(name: str) -> None:
        idle(teacher).get_by_role("radio", name=EN[f"class_test.{name}"], exact=True).click()

    teacher.get_by_role("radio", name=EN["class.view_test"], exact=True).click()
    now("kind_two")
    for student in students:
        student.locator(".st-key-test_agree button").click()
        expect(student.locator(".st-key-figure_test [role=radiogroup]")).to_be_visible()
    now("phase_lesson")
    idle(teacher)
    for student in students:
        visit.go(idle(student), path("sheet", checkpoint="de-en"))
        student.reload()  # what a session knows of its class may be some seconds old
        idle(student)
    sees = [bool(student.locator(".st-key-picture_sheet").count()) for student in students]
    assert sorted(sees) == [False, True]
    reader, toucher = (students[sees.index(which)] for which in (True, False))

    around = {EN["take.page_menu"], EN["take.link"]}  # above the figures
    assert touchable(reader) - around == {EN["frame.next"].format(page=EN["pages.primer"])}
    assert len(touchable(toucher)) > len(touchable(reader))
    name = reader.locator(".st-key-picture_sheet").get_by_role("img", name=EN["pages.sheet"], exact=True)
    expect(name).to_have_count(1)
    accessible(reader)
    visit.go(reader, path("decoding", checkpoint="de-en"))
    expect(reader.locator(".gf-picture").first).to_be_visible()
    for control in ("stButton", "stSlider", "stTextInput"):
        expect(reader.locator(f"[data-testid={control}]:visible")).to_have_count(0)
    expect(reader.locator(".st-key-view [role=radio]").first).to_be_visible()  # tabs lead through the lesson
    visit.go(reader, path("quiz", question="row_sum", numbers=1))
    expect(reader.locator(".st-key-next button")).to_be_visible()

    now("phase_after")
    visit.go(idle(reader), path("sheet", checkpoint="de-en"))
    expect(reader.locator(".gf-sheet[data-ready]")).to_be_visible()
    expect(reader.locator("[inert]")).to_have_count(0)


def touchable(page: Page) -> set[str]:
    return set(page.evaluate(TOUCHABLE))
