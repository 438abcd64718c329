"""Enter pressed → all heads of the new sentence on the screen ÷ a bare Streamlit page that repeats what was typed.

Ours is the real app on its page with every head, the model warm, and each sentence new to its caches.
Both clocks run from the key's own time stamp to the frame that shows the new words.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.harness.browser import chromium, drawn, fresh_page, idle
from benchmarks.harness.server import ROOT, streamlit
from benchmarks.harness.timing import Row, medians
from model.checkpoint import catalogue
from model.checkpoint.catalogue import load_tokenizer
from model.tokenization.tokenizer import Tokenizer

BARE = Path(__file__).parent / "baselines" / "text_page.py"
SENTENCES = (  # of words the sample model knows: no notice is drawn beside the figure
    "Wir gehen morgen ins Restaurant.",
    "Ich habe heute keinen Hunger.",
    "Am Freitag arbeite ich im Büro.",
    "Kannst du mir das Buch geben?",
    "Der Mann trinkt einen Kaffee.",
    "Sie fährt am Montag nach Hause.",
    "Wo ist die neue Wohnung?",
    "Ich möchte eine Suppe, bitte.",
    "Er steht um sieben Uhr auf.",
    "Das Haus ist sehr klein.",
)
WARM_UP = 2
# the columns of the large map are labelled in the same breath as the wall is drawn
_OURS = """(tokens) => clock.watch(() => {
  const columns = clock.figure()?.querySelectorAll(".gf-columns .gf-token") ?? [];
  return columns.length === tokens.length && tokens.every((token, i) => columns[i].title === token);
})"""
_BARE = """(sentence) => clock.watch(() => {
  const shown = document.querySelector("[data-testid=stText]");
  return shown !== null && shown.textContent === sentence;
})"""


def enter() -> list[Row]:
    """Each sentence once in either page, in turn."""
    entry = catalogue.default(catalogue.sentence_models())
    tokenizer = load_tokenizer(entry)
    with (
        streamlit(ROOT / "app.py") as app,
        streamlit(BARE) as bare,
        chromium() as browser,
        fresh_page(browser) as ours,
        fresh_page(browser) as other,
    ):
        ours.goto(f"{app}/attention?attention_kind=encoder&checkpoint={entry.name}")
        other.goto(bare)
        ours.wait_for_function("clock.figure()")
        in_ours, in_other = typist_in_ours(ours, tokenizer, SENTENCES), typist_in_bare(other, SENTENCES)
        medians(in_ours, in_other, WARM_UP)
        a, b = medians(in_ours, in_other, len(SENTENCES) - WARM_UP)
    return [Row("enter: all heads of a new sentence ÷ page with one text", a, b, Fraction(2))]


def typist_in_ours(page: Page, tokenizer: Tokenizer, sentences: Sequence[str]) -> Callable[[], float]:
    """Each call types the next sentence and gives the seconds from Enter until all heads of its tokens are drawn."""
    return _typist(page, _OURS, lambda sentence: list(tokenizer.tokens(tokenizer.encode(sentence))), sentences)


def typist_in_bare(page: Page, sentences: Sequence[str]) -> Callable[[], float]:
    """The same for the page that repeats what was typed."""
    return _typist(page, _BARE, lambda sentence: sentence, sentences)


def _typist(page: Page, watch: str, text_of: Callable[[str], object], sentences: Sequence[str]) -> Callable[[], float]:
    """Each call types the next sentence and gives the seconds from Enter until the page shows `shown(sentence)`."""
    following = iter(sentences)

    def type_next() -> float:
        sentence = next(following)
        page.bring_to_front()
        idle(page)
        field = page.get_by_label("Sentence", exact=True)
        field.fill(sentence)
        page.evaluate(watch, text_of(sentence))
        field.press("Enter")
        return drawn(page)

    return type_next
