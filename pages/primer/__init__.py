"""The page /primer: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=20,
    settings="asked d_k keys likeness measure normalise query_a query_b sample_seed sharpness show similarity "
    "size tour value_apple value_banana value_chair vector_seed weight_apple weight_banana weight_chair",
    sidebar="language",
    needs="nothing",
)
