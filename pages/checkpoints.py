"""Checkpoints: the sample models, each with its card."""

from model import catalogue
from pages.shared import cards, notices, page
from pages.shared.words import words

page.head("checkpoints")
for entry in catalogue.entries().values():
    cards.show(entry)
if not catalogue.entries():
    notices.say("info", words("notice.no_checkpoints"))
cards.systems()
