"""A class in the browser: join, follow, type, answer, and the teacher's board."""

import re
from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, Route, expect

from classroom import keys
from classroom.learning import bank
from classroom.learning.analysis import MINIMUM
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import SENTENCES
from pages.shared.classroom import lessons
from pages.shared.text.words import all_texts
from tests.browser import EN, MOTION, PATIENCE, Visits, accessible, asked, figure, has_address, idle, path, run, tokens
from tests.model.checkpoint.test_chinese import chinese_english
from tests.pages.classroom.test_browser_live_class import answer_by_keyboard
from tests.pages.quiz.test_page import asked as posed
from tests.samples import BUCH, KINO, MARKUP, either_language, german_english

ES, ZH = all_texts("es"), all_texts("zh")
PHONE = {"viewport": {"width": 390, "height": 844}}


def started(visit: Visits, **settings: object) -> tuple[Page, str]:
    """A teacher on the board, and the address that students open."""
    teacher = visit("/class", **settings)
    teacher.get_by_role("button", name=EN["class.start"], exact=True).click()
    expect(teacher.locator(".gf-board[data-ready]")).to_be_visible()
    link = teacher.locator(".gf-invite a").get_attribute("href") or ""
    path, _, language = link.split("/", 3)[3].partition("&language=")
    assert language == "en"  # which the link proposes: these students come by the code, each in their own
    return idle(teacher), "/" + path


def joined(visit: Visits, link: str, nickname: str = "", language: str = "en", **settings: object) -> Page:
    student = visit(link, locale="zh-CN" if language == "zh" else "en", **settings)
    words = all_texts(language)
    student.get_by_label(words["class.nickname"]).fill(nickname)
    student.get_by_role("button", name=words["class.join"], exact=True).click()
    expect(student.locator(".gf-class-bar[data-ready]")).to_be_visible()
    return idle(student)


def bar(page: Page, name: str):  # type: ignore[no-untyped-def]
    return page.locator(".gf-class-bar").get_by_role("button", name=name, exact=True)


def end(teacher: Page) -> None:
    teacher.get_by_role("button", name=EN["class.end"], exact=True).click()
    teacher.get_by_role("button", name=EN["class.end_now"], exact=True).click()


def test_students_follow_type_and_answer_and_the_board_shows_it(visit: Visits) -> None:
    teacher, link = started(visit)
    expect(teacher.locator(".gf-invite a")).to_be_visible()
    expect(teacher.locator(".gf-class-bar .gf-here")).to_have_text(EN["class_bar.here"].format(count=0))
    li = joined(visit, link, language="zh", **PHONE)
    ada = joined(visit, link, MARKUP[:20])
    expect(teacher.locator(".gf-names li span")).to_have_text(["Student 1", MARKUP[:20]])
    expect(li.locator(".gf-class-bar .gf-here")).to_be_empty()  # it would say what was so when they joined
    for count in (teacher.locator(".gf-class-bar .gf-here"), teacher.locator(".gf-board h2").first):
        expect(count).to_contain_text(EN["class_bar.here"].format(count=2))
    expect(teacher.locator(".gf-invite a")).to_be_hidden()  # the board is in view
    teacher.locator(".gf-invite summary").click()
    expect(teacher.locator(".gf-invite a")).to_be_visible()

    # the teacher shows a view; each browser keeps its language
    presenting = teacher.context.new_page()
    presenting.goto(teacher.url.split("/class")[0] + path("attention", sentence=BUCH, checkpoint="de-en", head=3))
    idle(presenting)
    bar(presenting, EN["class_bar.show"]).click()
    for student in (ada, li):
        expect(student).to_have_url(re.compile("/attention"))
        expect(figure(idle(student))).to_have_attribute("data-locked-head", "3")
        assert asked(student)["sentence"] == BUCH
    expect(li.locator("h1")).to_have_text(ZH["attention.question"])
    expect(bar(li, ZH["class_bar.following"])).to_have_attribute("aria-pressed", "true")

    # who opens another page goes their own way, and comes back
    ada.get_by_role("link", name=EN["pages.masks"], exact=True).click()
    expect(bar(idle(ada), EN["class_bar.follow"])).to_have_attribute("aria-pressed", "false")
    bar(presenting, EN["class_bar.share"]).click()  # from now on, all that this tab shows
    expect(bar(teacher, EN["class_bar.elsewhere"])).to_have_attribute("aria-pressed", "true")
    presenting.get_by_role("link", name=EN["pages.layers"], exact=True).click()
    expect(li).to_have_url(re.compile("/layers"))
    expect(ada).to_have_url(re.compile("/masks"))
    bar(ada, EN["class_bar.follow"]).click()
    expect(ada).to_have_url(re.compile("/layers"))

    # a sentence
    field = idle(li).get_by_label(ZH["frame.sentence"], exact=True)
    field.fill(KINO)
    field.press("Enter")
    idle(li)
    card = teacher.locator(".gf-cards article")
    expect(card).to_have_count(1)
    expect(card.locator(".gf-text")).to_have_text(KINO)
    expect(card.locator(".gf-output")).to_have_text(run(KINO).text)
    expect(card.locator(".gf-text")).to_have_attribute("lang", "de")
    expect(card.locator(".gf-output")).to_have_attribute("lang", "en")
    expect(card.locator(".gf-by")).to_have_text("Student 1")
    expect(card.locator(".gf-picture")).to_have_text(EN["board.enlarge"])
    card.locator(".gf-picture").click()
    expect(teacher.locator(".gf-large")).to_be_visible()
    look = catalogue.find("de-en").card["first_look"]
    place = f"cross-attention · layer {look['layer']} · head {look['head']}"
    expect(teacher.locator(".gf-large .gf-place")).to_have_text(place)
    expect(teacher.locator(".gf-large .gf-columns [lang=de]").filter(has_text="Kino")).to_be_visible()
    expect(teacher.locator(".gf-large .gf-beside [lang=en]").filter(has_text="cinema")).to_be_visible()
    teacher.keyboard.press("Escape")
    expect(teacher.locator(".gf-large")).to_be_hidden()
    card.get_by_role("button", name=EN["board.show"], exact=True).click()
    expect(card.locator(".gf-said")).to_have_text(EN["board.shown"])
    for page in (ada, li, presenting):  # the start page's lines, also where the teacher presents
        expect(page).to_have_url(re.compile(r"//[^/]+/\?"))
        has_address(idle(page), sentence=KINO)
    card.get_by_role("button", name=EN["board.hide"], exact=True).click()
    expect(card).to_have_count(0)

    # a question with answers to choose from, and one to write
    board = teacher.locator(".gf-board")
    board.get_by_label(EN["board.question"], exact=True).fill(f"Which? {MARKUP}")
    board.get_by_label(EN["board.options"], exact=True).fill("Kino\nheute")
    board.get_by_role("button", name=EN["board.ask"], exact=True).click()
    bar(ada, "Kino").click()
    bar(li, "heute").click()
    expect(ada.locator(".gf-mine")).to_have_text(EN["class_bar.mine"].format(answer="Kino"))
    expect(board.locator(".gf-bars li")).to_have_text(["Kino1", "heute1"])
    board.get_by_role("button", name=EN["board.close"], exact=True).click()
    expect(ada.locator(".gf-task")).to_be_empty()
    board.get_by_label(EN["board.question"], exact=True).fill("Why?")
    board.get_by_role("button", name=EN["board.ask"], exact=True).click()
    li.get_by_label(ZH["class_bar.answer"], exact=True).fill(MARKUP)
    bar(li, ZH["class_bar.send"]).click()
    answer = board.locator(".gf-asked .gf-bars li")
    expect(answer).to_have_text([f"{MARKUP}1{EN['board.hide']}"])
    answer.get_by_role("button", name=EN["board.hide"], exact=True).click()
    expect(answer).to_have_count(0)
    board.locator(".gf-asked").get_by_label(EN["board.show_hidden"]).check()
    expect(answer).to_have_text([f"{MARKUP}1{EN['board.unhide']}"])
    board.locator(".gf-earlier summary").click()
    expect(board.locator(".gf-earlier .gf-bars li")).to_have_text(["Kino1", "heute1"])
    clear = board.get_by_role("button", name=EN["board.clear"], exact=True)
    expect(clear).to_be_hidden()

    board.get_by_label(EN["board.minutes"], exact=True).fill("2")
    board.get_by_role("button", name=EN["board.start"], exact=True).click()
    for page in (ada, li):
        expect(page.locator(".gf-left")).to_have_text(re.compile(r"[12]:\d\d"))
    expect(clear).to_be_visible()
    accessible(teacher)
    accessible(li)

    # the end
    bar(teacher, EN["class_bar.elsewhere"]).click()  # a click in any tab ends it
    expect(bar(presenting, EN["class_bar.share"])).to_have_attribute("aria-pressed", "false")
    end(teacher)
    expect(teacher.locator(".st-key-figure_over")).to_be_visible()
    with teacher.expect_download() as download:
        idle(teacher).get_by_role("link", name=EN["class.results"], exact=True).click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 5  # its head, a sentence, three answers
    expect(ada.locator(".gf-here")).to_have_text(EN["class_bar.ended"])
    expect(ada.locator(".gf-stays")).to_have_text(EN["class_bar.stays"])
    expect(ada.locator(".gf-task")).to_be_empty()
    presenting.close()


@pytest.mark.thorough
def test_a_phone_leads_to_the_answers_of_a_question_in_its_language(visit: Visits) -> None:
    teacher, link = started(visit)
    li = joined(visit, link, language="zh", **PHONE)
    li.get_by_text(ZH["class.joined_about"]).scroll_into_view_if_needed()
    quiz = teacher.context.new_page()
    read_row = posed("read_row", KINO, 56375)
    settings = {"checkpoint": "de-en", "sentence": KINO, "only": "row_sum,read_row", "numbers": 56375}
    quiz.goto(teacher.url.split("/class")[0] + path("quiz", **settings))
    idle(quiz).locator(".st-key-ask_class button").click()
    expect(li).to_have_url(re.compile("/quiz"))
    expect(idle(li).locator("h1")).to_be_in_viewport()
    expect(li.locator(".gf-question")).to_be_hidden()  # the page has it
    progress = ZH["quiz.progress"].format(topic=ZH["quiz_topics.self_attention"], number=1, count=2)
    expect(li.locator(".st-key-figure_question")).to_contain_text(progress)
    options = li.locator(".st-key-options")
    expect(options).not_to_be_in_viewport()
    bar(li, ZH["class_bar.to_answers"]).click()
    expect(options).to_be_in_viewport(ratio=1)
    expect(bar(li, ZH["class_bar.to_answers"])).to_be_hidden()
    quiz.goto(teacher.url.split("/class")[0] + path("masks"))
    bar(idle(quiz), EN["class_bar.show"]).click()
    expect(li).to_have_url(re.compile("/masks"))
    expect(li.locator(".gf-question")).to_have_text(ZH["quiz_read_row.question"].format(**read_row.values))
    bar(idle(li), ZH["class_bar.quiz"]).click()  # the question, though the teacher is elsewhere
    expect(li).to_have_url(re.compile("/quiz"))
    expect(options).to_be_in_viewport(ratio=1)
    right = read_row.texts[read_row.solution()]
    options.locator(f".st-key-option_{read_row.solution()} button").click()
    expect(li.locator(".gf-mine")).to_have_text(ZH["class_bar.mine"].format(answer=right))
    bars = [f"✓ {right}1" if read_row.is_right(each) else f"{read_row.texts[each]}0" for each in read_row.options]
    expect(teacher.locator(".gf-asked .gf-bars li")).to_have_text(bars)
    quiz.close()


def test_a_student_who_reloads_or_loses_a_request_loses_no_answer(visit: Visits) -> None:
    teacher, link = started(visit)
    student = joined(visit, link, "Ben")
    student.goto(student.url.split("/class")[0] + path("position"))
    expect(idle(student).locator(".gf-class-bar[data-ready]")).to_be_visible()
    expect(student.locator(".gf-code")).to_have_text(keys.spelled(link[-6:]))
    board = teacher.locator(".gf-board")
    board.get_by_label(EN["board.question"], exact=True).fill("Why?")
    board.get_by_role("button", name=EN["board.ask"], exact=True).click()
    answer = student.get_by_label(EN["class_bar.answer"], exact=True)
    answer.fill("half a sentence")
    student.reload()
    expect(answer).to_have_value("half a sentence")  # no work is lost
    requests: list[str] = []

    def lose_once(route: Route) -> None:
        if route.request.method == "POST" and not requests:
            requests.append(route.request.url)
            return route.abort()
        return route.continue_()

    student.route("**/room?*", lose_once)
    bar(student, EN["class_bar.send"]).click()
    expect(board.locator(".gf-bars li")).to_have_text([f"half a sentence1{EN['board.hide']}"])
    assert len(requests) == 1
    visit.watches[student].errors.clear()  # the browser's own line about the request that was lost
    end(teacher)
    expect(student.locator(".gf-here")).to_have_text(EN["class_bar.ended"])


@either_language
def test_who_answers_while_the_class_can_take_nothing_is_told_and_loses_no_answer(visit: Visits, language: str) -> None:
    teacher, link = started(visit)
    student = joined(visit, link, "Li", language)
    words = ZH if language == "zh" else EN
    board = teacher.locator(".gf-board")
    board.get_by_label(EN["board.question"], exact=True).fill("Why?")
    board.get_by_role("button", name=EN["board.ask"], exact=True).click()
    answers: list[str] = []

    def locked_at_first(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        answers.append(route.request.post_data or "")
        if len(answers) > 2:
            return route.continue_()
        return route.fulfill(status=503, json={"refused": "rooms_closed", "says": "…"})

    student.route("**/room?*", locked_at_first)
    student.get_by_label(words["class_bar.answer"], exact=True).fill("so")
    bar(student, words["class_bar.send"]).click()
    expect(student.locator(".gf-class-bar .gf-problem")).to_have_text(words["class_bar.waiting"])
    expect(board.locator(".gf-bars li")).to_have_text([f"so1{EN['board.hide']}"])
    expect(student.locator(".gf-mine")).to_have_text(words["class_bar.mine"].format(answer="so"))
    expect(student.locator(".gf-class-bar .gf-problem")).to_have_text("")
    assert len(set(answers)) == 1
    assert len(answers) == 3
    visit.watches[student].errors.clear()  # the browser's own lines about the refusals
    end(teacher)


@either_language
def test_the_entrance_is_accessible(visit: Visits, language: str) -> None:
    page = visit("/class", locale="zh-CN" if language == "zh" else "en", **PHONE)
    accessible(page)


def lesson(page: Page):  # type: ignore[no-untyped-def]
    return page.locator(".gf-lesson-bar")


def test_a_lesson_is_given_and_presented_with_the_keys_of_a_remote_control(visit: Visits) -> None:
    page = visit("/class?show=lessons&language=zh")  # the language of the teacher, not of the browser
    ours = list(lessons.shipped()["attention"].parts)
    page.locator(".st-key-give_attention button").click()
    expect(lesson(page).locator(".gf-says")).to_have_text(ours[0].says["zh"])
    idle(page)
    for part in ours[1:3]:
        lesson(page).locator(".gf-main").click()
        expect(lesson(page).locator(".gf-says")).to_have_text(part.says["zh"])
        expect(page).to_have_url(re.compile(re.escape(f"/{part.view_in('zh').partition('?')[0]}") + r"(\?|$)"))
    assert asked(idle(page))["language"] == "zh"
    lesson(page).get_by_role("button", name=ZH["lesson_bar.present"], exact=True).click()
    expect(page.locator("[data-testid=stSidebar]")).to_be_hidden()
    expect(lesson(page).locator(".gf-notes")).to_be_hidden()
    page.keyboard.press("n")
    expect(lesson(page).locator(".gf-notes")).to_have_text(ours[2].notes["zh"])
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("/quiz"))
    idle(page)
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile("/primer"))
    page.keyboard.press("Escape")
    expect(idle(page).locator("[data-testid=stSidebar]")).to_be_visible()
    accessible(page)


@pytest.mark.thorough
def test_a_lesson_is_given_again_from_its_first_view(visit: Visits) -> None:
    ours = list(lessons.shipped()["attention"].parts)
    page = visit("/class?show=lessons&language=zh")

    def goes_on_from_its_first_view() -> None:
        expect(lesson(page).locator(".gf-says")).to_have_text(ours[0].says["zh"])
        idle(page)
        lesson(page).locator(".gf-main").click()
        expect(lesson(page).locator(".gf-says")).to_have_text(ours[1].says["zh"])
        idle(page)

    page.locator(".st-key-give_attention button").click()
    goes_on_from_its_first_view()
    for ended in (True, False):
        if ended:
            lesson(page).get_by_role("button", name=ZH["lesson_bar.end"], exact=True).click()
            expect(lesson(page)).to_have_count(0)
        page.goto(page.url.split("?")[0].rsplit("/", 1)[0] + "/class?show=lessons&language=zh")
        idle(page).locator(".st-key-give_attention button").click()
        expect(lesson(page).locator(".gf-says")).to_have_text(ours[0].says["zh"])
        idle(page).reload()
        goes_on_from_its_first_view()


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "model"), [("en", german_english), ("zh", chinese_english)])
def test_the_figures_of_a_lesson_fit_a_projector(visit: Visits, language: str, model: Callable[[], Checkpoint]) -> None:
    words = all_texts(language)
    first = lessons.shipped()["attention"].parts[0].view_in(language)
    sentence = dict(parse_qsl(first.partition("?")[2]))["sentence"]
    output = translate(model(), sentence).text
    # so that both lines stand above the page
    page, _ = started(visit, viewport={"width": 1280, "height": 800}, **MOTION)
    page.goto(page.url.split("?")[0] + f"?show=lessons&language={language}")
    idle(page).locator(".st-key-give_attention button").click()
    expect(page).to_have_url(re.compile("paused=1"))
    expect(figure(idle(page))).to_have_attribute("data-playing", "false")  # it waits for the class to guess
    expect(page.locator(".gf-written")).to_have_text(output.split()[0])
    names = [button.inner_text() for button in page.get_by_role("button").all() if button.is_visible()]
    names = [name for name in names if name not in sentence]  # whose tokens may occur twice
    assert len(set(names)) == len(names)  # no two of one name, such as the lesson's and the figure's Next
    present = lesson(page).get_by_role("button", name=words["lesson_bar.present"], exact=True)
    page.get_by_role("button", name=words["attention_figure.play"]).click()
    expect(page.locator(".gf-written")).to_have_text(output)
    for _ in ("beside the list of pages", "presented"):
        for side in ("key", "query"):
            for token in tokens(page, side).all():
                expect(token).to_be_in_viewport(ratio=1)
        present.click()
    page.keyboard.press("Escape")
    for part in lessons.shipped()["attention"].parts[1:5]:  # the last of them shows the map of one head
        lesson(page).locator(".gf-main").click()
        expect(lesson(page).locator(".gf-says")).to_have_text(part.says[language])
        idle(page)
    present.click()
    expect(figure(page).locator(".gf-map-body")).to_be_in_viewport(ratio=1)
    expect(page.locator("h1")).not_to_be_in_viewport(ratio=0.1)


@pytest.mark.thorough
def test_views_are_added_to_a_lesson_and_its_link_opens_it_elsewhere(visit: Visits) -> None:
    page = visit("/class?show=lessons")
    page.locator(".st-key-lesson_begin button").click()
    expect(lesson(page)).to_be_visible()
    idle(page).get_by_role("link", name=EN["pages.masks"], exact=True).click()
    add = lesson(page).get_by_role("button", name=EN["lesson_bar.add"], exact=True)
    for setting in ("leak", "fill"):
        idle(page).locator(".st-key-show").get_by_role("radio", name=EN[f"masks_shows.{setting}"], exact=True).click()
        has_address(idle(page), show=setting)
        add.click()
    expect(lesson(page)).to_contain_text(EN["lesson_bar.draft"].format(title=EN["lessons.mine"], count=2))
    lesson(page).get_by_role("button", name=EN["lesson_bar.edit"], exact=True).click()
    code = page.locator("[data-testid=stCode] code")
    expect(code).to_contain_text("lesson=")
    link = code.inner_text().strip()
    other = visit("/" + link.split("/", 3)[3])
    other.locator(".st-key-give_sent button").click()
    expect(other).to_have_url(re.compile(r"/masks\?show=leak"))


@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.thorough)])
def test_students_answer_before_and_after_a_lesson_and_the_teacher_reads_the_gain(visit: Visits, count: int) -> None:
    teacher, link = started(visit)
    students = [joined(visit, link, language="zh", **PHONE), *(joined(visit, link) for _ in range(count - 1))]
    teacher.get_by_role("radio", name=EN["class.view_test"], exact=True).click()

    def now(name: str) -> None:
        idle(teacher).get_by_role("radio", name=EN[f"class_test.{name}"], exact=True).click()

    def answer(student: Page) -> None:
        for _ in bank.TOPICS:
            choice = idle(student).locator(".st-key-figure_test [role=radiogroup] input").first
            choice.press("Space")
            expect(choice).to_be_checked()
            student.locator(".st-key-test_next button:enabled").click()

    now("kind_all")
    for student in students:  # who follows is brought there
        student.locator(".st-key-test_agree button").click()
        idle(student)
        accessible(student)
        answer(student)
        expect(idle(student).locator(".st-key-figure_test [role=radiogroup]")).to_have_count(0)
    now("phase_lesson")
    now("phase_after")
    for student in students:
        expect(student.locator(".st-key-figure_test [role=radiogroup]")).to_be_visible()
        answer(student)
    counts = EN["class_test.counts"].format(agreed=count, before=count, after=count)
    expect(teacher.get_by_text(counts)).to_be_visible()
    teacher.get_by_role("button", name=EN["class_test.close"], exact=True).click()
    teacher.get_by_role("button", name=EN["class_test.close_now"], exact=True).click()
    few = SENTENCES["learning_few"].format(count=count, minimum=MINIMUM)
    expect(teacher.locator(".st-key-figure_test_results")).to_contain_text(few)
    accessible(idle(teacher))
    assert asked(teacher)["show"] == "test"


def test_who_types_the_code_comes_to_a_live_page_and_the_board_counts_both_tests(visit: Visits) -> None:
    """The code leads where the link does. The server makes the files of the page meanwhile."""
    teacher, link = started(visit)
    teacher.get_by_text(EN["class.on_device"], exact=True).click()
    expect(teacher.locator(".gf-invite a")).to_have_attribute("href", re.compile(r"/live/de-en/\?class="))
    student = visit(link, locale="es", **PHONE)
    student.get_by_label(ES["class.nickname"]).fill("Ada")
    student.get_by_role("button", name=ES["class.join"], exact=True).click()
    expect(student).to_have_url(re.compile(r"/live/de-en/\?class="))
    expect(student.locator(".gf-class-bar[data-ready]")).to_be_visible(timeout=4 * PATIENCE)
    teacher.get_by_role("radio", name=EN["class.view_test"], exact=True).click()

    def now(name: str) -> None:
        idle(teacher).get_by_role("radio", name=EN[f"class_test.{name}"], exact=True).click()

    def counted(before: int, after: int) -> None:
        counts = EN["class_test.counts"].format(agreed=1, before=before, after=after)
        expect(teacher.get_by_text(counts)).to_be_visible()

    now("kind_all")
    student.get_by_role("button", name=ES["lesson_test.agree"], exact=True).click()
    answer_by_keyboard(student, ES, 0)
    expect(student.locator(".before-after")).to_contain_text(ES["lesson_test.thanks"])
    now("phase_lesson")
    counted(before=1, after=0)
    now("phase_after")
    answer_by_keyboard(student, ES, 1)
    result = ES["lesson_test.result"].format(before="[0-6]", after="[0-6]", count=len(bank.TOPICS))
    expect(student.locator(".before-after")).to_contain_text(re.compile(result))
    counted(before=1, after=1)
    accessible(student, "after the test")


def test_students_read_what_a_lesson_says_and_a_teacher_removes_who_disturbs(visit: Visits) -> None:
    teacher, link = started(visit)
    li, ada = joined(visit, link, language="zh", **PHONE), joined(visit, link, "Ada")
    expect(li.locator(".st-key-figure_joined")).to_contain_text(ZH["class.wait_about"])
    giving = teacher.context.new_page()
    giving.goto(teacher.url.split("/class")[0] + "/class?show=lessons")
    idle(giving).locator(".st-key-give_attention button").click()
    expect(giving.locator(".gf-lesson-bar[data-ready]")).to_be_visible()
    bar(idle(giving), EN["class_bar.share"]).click()
    ours = lessons.shipped()["attention"].parts
    says = ".gf-class-bar .gf-says"
    expect(ada.locator(says)).to_have_text(ours[0].says["en"])
    expect(li.locator(says)).to_have_text(ours[0].says["en"])  # the Chinese text speaks of a Chinese sentence
    lesson(idle(giving)).locator(".gf-main").click()
    for student in (ada, li):
        expect(student.locator(says)).to_have_text(ours[1].says["en"])
    lesson(idle(giving)).get_by_role("button", name=EN["lesson_bar.end"], exact=True).click()
    title = lessons.shipped()["attention"].title["en"]
    expect(giving.get_by_text(EN["lessons.ended"].format(title=title))).to_be_visible()
    expect(li.locator(says)).to_be_empty()
    giving.close()

    remove = teacher.get_by_role("button", name=EN["board.remove"].format(name="Ada"), exact=True)
    remove.focus()
    teacher.keyboard.press("Enter")
    expect(ada.get_by_text(EN["class.gone"])).to_be_visible()
    expect(teacher.locator(".gf-board h2").first).to_have_text(EN["board.here"].format(count=1, all=1))
    accessible(teacher)
    teacher.keyboard.press("Enter")  # the same button takes it back
    expect(remove).to_be_focused()
    visit.watches[ada].errors.clear()  # the browser's own line about the class that was gone
    end(teacher)


# what a live page does in a class: test_browser_live.py
SEND = """async curve => {
    const { key } = await (await fetch("/room/own")).json();
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return (await fetch("/room", { method: "POST", headers, body: JSON.stringify(curve) })).status;
}"""


def test_the_board_shows_the_curve_of_who_trains_on_their_own_device(visit: Visits) -> None:
    teacher, link = started(visit)
    student = joined(visit, link, MARKUP[:20], **PHONE)
    visit.go(student, path("train", task="reverse"))
    expect(student.get_by_text(EN["train.here_hint_class"].partition("{limit}")[0])).to_be_visible()
    here = student.get_by_role("link", name=EN["train.here"], exact=True).get_attribute("href") or ""
    assert f"/?class={link.partition('=')[2]}#train?" in here
    curve = {"task": "reverse", "step": 30, "steps": 600, "changed": True, "points": [[0, 3.5, 0], [30, 2, 0.125]]}
    assert student.evaluate(SEND, {"do": "train", **curve}) == 200
    chart = teacher.locator(".gf-trainings [data-chart=reverse]")
    expect(chart.locator("path.gf-curve:not(.gf-other)")).to_have_attribute("d", re.compile("^M[^L]*L[^L]*$"))
    expect(chart.locator("h3")).to_contain_text(EN["train_task.reverse"])
    said = [EN["board.training_step"].format(step=30), EN["board.training_right"].format(share="12.5%")]
    line = " · ".join([MARKUP[:20], *said, EN["board.training_changed"]])
    expect(chart.locator(".gf-keys li > span").first).to_have_text(line)
    accessible(teacher)
