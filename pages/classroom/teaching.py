"""Page of a teacher: how to join, the board, the end of the class and its results."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import segno
import streamlit as st

from classroom import keys, prediction_files, results
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.predict.prediction import KINDS
from pages.classroom import leaving, students_see
from pages.shared.classroom import class_bar, my_class, predictions, questions, visible
from pages.shared.layout import page
from pages.shared.links import LIVE
from pages.shared.load.component_code import component
from pages.shared.models import live_files
from pages.shared.session import view, widgets
from pages.shared.session.base_path import base, network_origins, origin
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.downloads.file_menu import File
from viz.components.classroom.board import FRONTEND, board_data
from viz.templates import render

if TYPE_CHECKING:
    from classroom.classrooms import Membership

_board = component("board", FRONTEND)


def teaching(me: Membership) -> None:
    """The board while the class goes on; the results when it has ended."""
    if me.ended:
        _over(me)
        return
    with st.container(border=True, key="figure_invite"):
        _invite(me)
    with st.container(border=True, key="figure_board"):
        heads = section("attention_figure")
        texts = section("board") | {name: heads[name] for name in ("head_name", "encoder", "decoder", "cross")}
        texts |= section("predict_board") | section("predict_sure")
        axes = section("train_figure")
        texts |= {name: axes[name] for name in ("steps_axis", "at_step")}
        data = board_data(my_class.key(), base=base(), language=view.language(), words=texts)
        _board(data=data, key="board")
    students_see.choose(me)
    with st.container(horizontal=True, key="class_end", vertical_alignment="center"):
        _results(me)
        with st.popover(words("class.end")):
            st.text(words("class.end_about"))
            st.button(words("class.end_now"), key="end_class", type="primary", on_click=leaving.end)


def _invite(me: Membership) -> None:
    """The code, and the link as text and as a picture; students cannot open an address that only this machine knows."""
    above, addresses = st.container(), network_origins(origin())
    address = addresses[0] if addresses else origin()
    if len(addresses) > 1:
        address = st.selectbox(words("class.network"), addresses, key="network")
    if not addresses:
        notices.say("warning", words("class.local"))
    elif address != origin():
        notices.say("info", words("class.local_network"))
    live = visible.read(me.choice).live
    if live or class_bar.live_model():
        st.toggle(
            words("class.on_device"), help=words("class.on_device_about"),
            **widgets.held("on_device", bool(live), partial(_let_devices_run, me)),
        )  # fmt: skip
    if (entry := catalogue.entries().get(live)) is not None:
        live_files.files(entry)  # so that no student waits for them
    link = join_address(address, me.code, live)
    code = segno.make(link).svg_data_uri(scale=4, border=2, light="white") if addresses else ""
    above.html(
        render(
            "pages/classroom/invite.html", "invite", code=keys.spelled(me.code), address=link, picture=code,
            about=words("class.invite"), picture_about=words("class.qr"), more=words("class.qr_more"),
        )
    )  # fmt: skip


def _let_devices_run(me: Membership, wanted: bool) -> None:
    students_see.change(me, live=class_bar.live_model() if wanted else "")


def join_address(address: str, code: str, live: str = "") -> str:
    """The link that students open: a page of the app, or the live page of a model, which runs on their own device.

    It proposes the teacher's language: see `language_choice.named`.
    """
    page = f"{LIVE}/{live}/?class" if live else "/class?room"
    return f"{address}{page}={code}&language={view.language()}"


def _over(me: Membership) -> None:
    with page.card("figure_over", words("class.over_title"), words("class.over_about")):
        notices.say("info", words("class.ended"))
        with st.container(horizontal=True):
            _results(me)
            st.button(words("class.delete"), key="leave", on_click=leaving.leave)


def _results(me: Membership) -> None:
    store, name, nameless = my_class.classrooms(), f"glassformer-class-{me.code}.csv", words("board.nameless")
    make = partial(results.table, store, me, nameless, questions.said)
    files = [File("class_results", words("class.results"), name, "text/csv", make)]
    if me.ended and _has_predictions(me):
        texts = predictions.codebook_texts()
        contents = {
            "predictions": partial(prediction_files.answers_csv, store, me, nameless),
            "codebook": partial(prediction_files.codebook_csv, texts, tuple(KINDS)),
        }
        files += [
            File(
                f"predictions_{key}",
                words(f"predict_codebook.file_{key}"),
                f"glassformer-{key}-{me.code}.csv",
                "text/csv",
                make_,
            )
            for key, make_ in contents.items()
        ]
    file_menu.links(files)


def _has_predictions(me: Membership) -> bool:
    """Whether there are predictions to take; not while the database does not answer."""
    store = my_class.classrooms()
    with suppress(InvalidInput):
        return my_class.ask(lambda: prediction_files.has_answers(store, me))
    return False
