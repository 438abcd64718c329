"""The page /intervene: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="try",
    place=10,
    settings="by changes depth from how mask norms other padding part pin query reach reader scaling show side step to "
    "token tour way weights what word",
    steps=False,
    in_browser=True,
)
