"""Attention: every head at a glance, and the chosen one large."""

from model.trace import ATTENTION_KINDS
from pages.shared import choices, components, page, take
from pages.shared.panels import panels
from pages.shared.reading import read

page.head("attention")
reading = read()
place = choices.place(reading, kinds=ATTENTION_KINDS)
components.attention(panels(reading.trace), view_="matrix", kind=place.kind, layer=place.layer, head=place.head)
take.row(reading, place)
