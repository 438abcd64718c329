"""Changes from 2017 to today's LLMs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=20,
    settings="about decoder_only gated grouped pre_norm rms_norm rotary show tour",
    sidebar="language",
    needs="nothing",
    saves="page",
)
