"""Which words caused a word of the output."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="try",
    place=20,
    settings="bars edges method rather share show step tour words",
    in_browser=True,
)
