"""Data: your own sentences judged, what the model learned from, what taught it a word, and which rules it knows."""

from pages.data import one_word, own_lines, rules, training_sentences
from pages.shared.layout import page
from pages.shared.models import model_notices, models, warmup
from pages.shared.models.sentence import read

page.head("data")
run = read(marks=False)
model_notices.untrained(run)
with warmup.spinner():
    models.checkpoint(run.entry)
tabs = {
    "lines": own_lines.figures,
    "corpus": training_sentences.figures,
    "word": one_word.figures,
    "rules": rules.figures,
}
page.tabs("data", tabs, run)
