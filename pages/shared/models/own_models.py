"""This user's own models: trained or uploaded here, in the selector of every page, and seen by nobody else."""

from dataclasses import dataclass

import streamlit as st

from model.checkpoint.catalogue import Entry
from model.checkpoint.user_models import OWN, UserModels
from pages.shared.session.state import run_state
from pages.shared.session.user import user

USER_MODELS = UserModels()


@dataclass
class Attendance:
    """The user whom this run has noted, "" before that."""

    user: str = ""


def mine() -> dict[str, Entry]:
    """The user's own models by name."""
    return USER_MODELS.of(_noted())


def add(entry: Entry) -> str:
    """Keep a copy of a checkpoint folder for this user, give its name; raises `InvalidInput` if there is no room."""
    return USER_MODELS.add(_noted(), entry)


def remove(name: str) -> None:
    """Let one of the user's models go."""
    USER_MODELS.remove(user(), name)


def is_own(name: str) -> bool:
    """Whether a name is that of somebody's own model."""
    return name.startswith(OWN)


def _noted() -> str:
    """The user, whom this session has noted; asked for once in a run, as a cache of Streamlit takes its time.

    After its connection was lost a session goes on, but Streamlit has let go of the note: it is made anew.
    """
    attendance, name = run_state(Attendance), user()
    if attendance.user != name:
        attendance.user = _attending(name)
    return name


@st.cache_resource(scope="session", show_spinner=False, on_release=USER_MODELS.session_closed)
def _attending(user: str) -> str:
    """Note the user, once in each session; it ends with its tab, and also when the page is loaded anew."""
    USER_MODELS.session_opened(user)
    return user
