"""The page /checkpoints: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="manage",
    place=10,
    settings="card show topic tour",
    sidebar="model",
    needs="model",
    saves="nothing",
    steps=False,
)
