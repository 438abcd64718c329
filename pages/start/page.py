"""Start: a sentence, its translation word by word with the attention of each word, and the map of the model."""

import streamlit as st

from pages.shared.layout import page
from pages.shared.layout.sentence_input import sentence_input
from pages.shared.layout.tour import Stop
from pages.shared.models import current, model_notices, sentence_notices
from pages.shared.models.sentence import SentenceRefused, read
from pages.shared.session import view
from pages.shared.text.words import words
from pages.shared.ui import attention_figure, components, controls, head_picker, show
from pages.shared.ui.attention_figure import shown_panels
from pages.shared.ui.switches import value_switch, word_switch
from pages.start.labels import labels
from pages.start.output_so_far import after_words
from pages.start.ways_on import ways_on

page.head(
    "start",
    model_notices.lead(),
    tour=(
        Stop("start.tour_sentence", "type"),
        Stop("start.tour_links", "attention"),
        Stop("start.tour_heads", "attention", {"layer": 0, "head": 0}),
        Stop("start.tour_map", "map"),
    ),
)
with st.container(key="type", gap="small"):
    if (entry := current.entry()) is not None:
        sentence_input(entry)
    sentence_notices.offer("start.examples")
model_notices.beginner()
try:
    current_run = read(recordings=True)
except SentenceRefused as refused:
    ways_on(refused.example, is_example=True)
    raise
with st.container(key="translation"):
    with st.container(key="source"):
        components.marked(current_run.sentence, current_run.unseen_words)
    # a recording knows no text, and an encoder may have no word to fill in
    if current_run.text or (current_run.trace.target_tokens and not current_run.is_recording):
        with st.container(key="target"):
            show.output(current_run.text)
    if current_run.recorded and not current_run.is_recording:
        show.caption(words("start.recorded"))
    model_notices.untrained(current_run)
    model_notices.missing_kinds(current_run)

if "labels" in current_run.trace.values and not current_run.is_recording:
    labels(current_run)

place = head_picker.chosen_place(current_run, candidates=("cross",))
whole, shares = word_switch.is_on(), value_switch.shares(current_run)
figure = attention_figure.attention(
    shown_panels(current_run.trace, whole=whole, shares=shares), style="links", kind=place.kind, layer=place.layer,
    head=place.head, norms=shares is not None,
    written=after_words(current_run.text, current_run.trace, whole=whole) if place.kind == "cross" else (),
    sentence=current_run.sentence,
    paused=controls.named(view.PAUSED, words("attention_figure.play"), ("0", "1"), "0") == "1",
    of_recording=current_run.is_recording, whole=whole,
)  # fmt: skip
attention_figure.files_below(figure, current_run)
attention_figure.explained(figure, current_run, whole=whole)
if not current_run.recorded and not current_run.unseen_words:  # of which a notice above says more
    sentence_notices.unsure(current_run.trace, current_run.entry)
if not current_run.is_recording:
    ways_on(current_run)
