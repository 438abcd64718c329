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
from pages.start.labels import labels
from pages.start.output_so_far import film
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
    current_run = read(recordings=True, marks=False)
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
    current_run.mark()
    if current_run.recorded and not current_run.is_recording:
        show.caption(words("start.recorded"))
    model_notices.untrained(current_run)
    model_notices.missing_kinds(current_run)

if "labels" in current_run.trace.values and not current_run.is_recording:
    labels(current_run)

picked = head_picker.picked_head(current_run, candidates=("cross",))
paused = controls.named(view.PAUSED, words("attention_figure.play"), ("0", "1"), "0") == "1"
attention_figure.of_run(current_run, picked.look("links", film=film(current_run, picked.kind, paused=paused)))
if not current_run.is_recording:
    ways_on(current_run)
