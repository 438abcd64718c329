"""A dictionary of what the encoder says: the features of a sentence, their examples, and steering with them."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=15,
    settings="about active at factor feature features names seed_run show site sparsity steer strength token tour way "
    "where",
)
