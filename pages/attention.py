"""Attention: every head at a glance, and the chosen one large."""

from model.trace import ATTENTION_KINDS
from pages.shared import choices, components, explain, page, take
from pages.shared.panels import panels
from pages.shared.reading import read

page.head("attention")
reading = read()
explain.missing_kinds(reading)
place = choices.place(reading, wanted=ATTENTION_KINDS)
components.attention(panels(reading.trace), view_="matrix", kind=place.kind, layer=place.layer, head=place.head)
take.row(reading, place)
