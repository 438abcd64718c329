"""The frame of every page: address, language, model, sentence, and the table of contents."""

from contextlib import suppress

import streamlit as st

from model.checkpoint import catalogue
from pages.shared.classroom import class_bar, lesson_bar
from pages.shared.layout import fair_use_notice, prediction_bar, sidebar
from pages.shared.load import fair_lock
from pages.shared.models.sentence import Ended
from pages.shared.session import address, user, view
from pages.shared.text import untranslated

st.set_page_config(page_icon=sidebar.ICON, layout="wide", initial_sidebar_state="expanded")
with fair_lock.hold(view.page_name, user.share()), catalogue.one_look(), untranslated.noted() as english:
    address.read_address()
    page = st.navigation(sidebar.pages(), position="hidden")
    address.read_settings(sidebar.name_of(page))
    st.set_page_config(page_title=f"{page.title} · Glassformer")
    sidebar.sidebar()
    with suppress(Ended):
        fair_use_notice.check()
        class_bar.class_bar()
        lesson_bar.lesson_bar()
        prediction_bar.prediction_bar(sidebar.name_of(page))
        page.run()
    sidebar.finish(english)
