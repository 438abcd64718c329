"""The page /data: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="check",
    place=15,
    settings="again against below beside find how marked method most near of_pattern of_topic out pattern rule show "
    "sort step topic",
    steps=False,
)
