"""Data: your own sentences judged, and what the model learned from."""

from pages.data import own_lines, training_sentences
from pages.shared.layout import page
from pages.shared.models import model_notices, models, warmup
from pages.shared.models.sentence import read

page.head("data")
run = read(marks=False)
model_notices.untrained(run)
with warmup.spinner():
    models.checkpoint(run.entry)
page.tabs("data", {"lines": own_lines.figures, "corpus": training_sentences.figures}, run)
