"""The page /position: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=40,
    settings="base bases column d_model extra from length letters m method n pairs row shift show tour "
    "wavelength window worked_base",
    in_browser=True,
)
