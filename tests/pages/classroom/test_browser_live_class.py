"""Students on live pages in Spanish and Chinese, in the class of a teacher who speaks English.

What the teacher lets them see, the test before and after the lesson, and a prediction answered on its figure.
"""

import re

from playwright.sync_api import Page, expect

from classroom.classrooms import Classrooms, Membership
from classroom.learning import bank, participants
from live.texts import texts
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.predict.prediction import PredictionMaterial, ask
from pages.classroom.lesson_test_tab import VIEW
from pages.shared.text.words import all_texts
from tests.browser import PATIENCE, accessible
from tests.live.conftest import Open, open_page
from tests.pages.classroom.test_browser_live import PHONE, address, bar, board, join, teacher

__all__ = ["address", "open_page", "teacher"]
ES, ZH = all_texts("es"), all_texts("zh")


def answer_by_keyboard(page: Page, words: dict[str, str], choice: int) -> None:
    """All six questions, each with the choice at this place."""
    for number, _ in enumerate(bank.TOPICS, start=1):
        test = page.locator(".before-after")
        expect(test).to_contain_text(words["lesson_test.count"].format(number=number, count=len(bank.TOPICS)))
        test.locator("input").nth(choice).focus()
        page.keyboard.press("Space")
        label = words["lesson_test.finish" if number == len(bank.TOPICS) else "lesson_test.next"]
        test.get_by_role("button", name=label, exact=True).press("Enter")


def test_what_a_teacher_hides_and_asks_before_and_after_holds_on_a_live_page(
    store: Classrooms, teacher: Membership, address: str, open_page: Open
) -> None:
    page = open_page(f"{address}/live/reverse/?class={teacher.code}", locale="es", **PHONE)
    join(page, ES)
    expect(page.locator(".gf-code")).to_contain_text("Attention")  # the title, as the teacher wrote it
    tabs = page.get_by_role("tab")
    everything = tabs.count()
    store.choose(teacher, "pages:attention,masks;hide:sentence,head")
    expect(tabs).to_have_text([ES["pages.start"], ES["pages.masks"], ES["pages.attention"]])  # what is in view stays
    expect(page.get_by_label(ES["frame.sentence"], exact=True)).to_be_hidden()
    tabs.filter(has_text=ES["pages.start"]).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_have_text(ES["masks.question"])
    expect(tabs).to_have_text([ES["pages.masks"], ES["pages.attention"]])
    expect(page.get_by_role("group", name=ES["place.head"], exact=True)).to_be_hidden()
    store.choose(teacher, "")
    expect(tabs).to_have_count(everything)
    expect(page.get_by_role("group", name=ES["place.head"], exact=True)).to_be_visible()

    participants.set_up(store, teacher, "all", VIEW)
    test = page.locator(".before-after")
    expect(test).to_have_attribute("open", "")
    expect(test).to_contain_text(ES["lesson_test.asked"])
    expect(page.locator(".gf-only")).to_be_empty()  # it needs no way into the app
    test.get_by_role("button", name=ES["lesson_test.agree"], exact=True).click()
    expect(test.get_by_role("radio")).to_have_count(bank.CHOICES + 1)
    accessible(page, "with a test")
    answer_by_keyboard(page, ES, 0)
    expect(test).to_contain_text(ES["lesson_test.thanks"])
    participants.go_to(store, teacher, "lesson", "")
    expect(test).to_have_count(0)
    participants.go_to(store, teacher, "after", VIEW)
    answer_by_keyboard(page, ES, 1)
    right = {place: {sum(each.right == place for each in form) for form in bank.forms().values()} for place in (0, 1)}
    either = {"before": f"[{''.join(map(str, right[0]))}]", "after": f"[{''.join(map(str, right[1]))}]", "count": 6}
    expect(test).to_contain_text(re.compile(ES["lesson_test.result"].format(**either)))
    page.reload()  # the class has kept it
    expect(page.locator(".before-after summary").first).to_have_text(ES["class_test.title"])
    participants.close(store, teacher)
    assert len(participants.rows(store, teacher)) == 2 * len(bank.TOPICS)


def test_a_prediction_is_answered_on_its_figure(
    store: Classrooms, teacher: Membership, address: str, open_page: Open
) -> None:
    """The question is put in English; the student reads it in Chinese."""
    entry = catalogue.find("reverse")
    checkpoint, sentence = load(entry), entry.card["examples"][0]
    run = translate(checkpoint, sentence)
    question = ask("where", PredictionMaterial(entry.config, run.trace, 1, checkpoint=checkpoint, run=run))
    assert question is not None
    content = question.content() | {"model": entry.name, "sentence": sentence, "view": "attention?checkpoint=reverse"}
    page = open_page(f"{address}/live/reverse/?class={teacher.code}", locale="zh-CN")
    join(page, ZH)
    task = store.ask(teacher, "predict", "Which word?", [tuple(each) for each in content["options"]], posed=content)
    row = page.locator(".gf-weight-row")
    expect(row.locator("i")).to_have_count(len(content["options"]))
    expect(page.locator(".gf-question")).to_contain_text(ZH[f"quiz_figure.kind_{content['values']['kind']}"])
    expect(page.locator(".gf-task")).to_contain_text(ZH["predict_line.predict_row"])
    expect(row.locator("b")).to_have_count(0)  # no weight is there
    cells, place = row.locator("label"), int(content["key"])
    cells.nth(place).locator("i").click()
    expect(row.get_by_role("radio").nth(place)).to_be_checked()
    page.keyboard.press("ArrowLeft")
    expect(row.get_by_role("radio").nth(place - 1)).to_be_checked()
    page.keyboard.press("ArrowRight")
    accessible(page, "with a row to answer in")
    page.locator(".gf-task").get_by_text(ZH["predict_sure.sure_3"], exact=True).click()
    bar(page, ZH["class_bar.send"]).click()
    expect(page.locator(".gf-task")).to_contain_text(ZH["predict_line.predict_waits"])
    assert board(store, teacher)["asked"]["answers"] == [[content["key"], 1, None]]
    store.close(teacher)
    weights = row.locator("b")
    expect(weights).to_have_text([f"{content['shares'][option]:.2f}" for option, _ in content["options"]])
    expect(row.locator("li[data-right=true]")).to_have_attribute("data-mine", "true")
    accessible(page, "with a row that was measured")
    assert task


def test_the_quiz_of_a_live_page_asks_for_predictions(address: str, open_page: Open) -> None:
    """The model on the page answers them; nothing of the answers is on the page before."""
    page = open_page(f"{address}/live/reverse/#quiz?show=predict", locale="es", **PHONE)
    expect(page.locator("body")).to_have_attribute("data-ready", "reverse", timeout=PATIENCE)
    main = page.locator(".lesson-predict")
    row = main.locator(".gf-weight-row")
    expect(row.locator("i").first).to_be_visible()
    reveal = main.get_by_role("button", name=ES["predict.reveal"], exact=True)
    reveal.click()
    expect(main).to_contain_text(ES["predict.choose"])
    row.locator("label").nth(1).click()
    main.get_by_text(ES["predict_sure.sure_2"], exact=True).click()
    accessible(page, "with a prediction")
    reveal.press("Enter")
    expect(row.locator("li[data-right=true]")).to_have_count(1)
    weights = [float(each) for each in row.locator("b").all_inner_texts()]
    right = row.locator("li").evaluate_all("nodes => nodes.findIndex((node) => node.dataset.right === 'true')")
    assert weights.index(max(weights)) == right
    expect(main.locator(".verdict")).to_be_visible()
    main.get_by_role("radio", name=ES["predict_kinds.how_sure"], exact=True).check()
    main.get_by_label(ES["predict.percent"]).fill("0")
    main.get_by_text(ES["predict_sure.sure_1"], exact=True).click()
    reveal.click()
    expect(main.locator(".verdict")).to_contain_text(re.compile(r"\d+%"))
    expect(main).to_contain_text(re.compile(texts("es")["live_predict.record"].format(right="[0-2]", count=2)))
    page.reload()  # the first answer to a question counts
    expect(main.locator(".verdict")).to_be_visible(timeout=PATIENCE)
