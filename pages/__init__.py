"""Pages of the app: a folder for each page, and what pages share."""

from pages import lazy_model

lazy_model.install()
