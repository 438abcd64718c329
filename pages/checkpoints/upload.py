"""Files from a user, a checkpoint or a recording: the upload, what came of it, and all that they have here."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.upload import check_recording, upload_check, zip_file
from pages.checkpoints import import_commands
from pages.shared.layout import page
from pages.shared.load import fair_use
from pages.shared.models import models, own_models
from pages.shared.session import address, script_run, view
from pages.shared.session.state import state
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads import file_menu

_UNSAFE = 'torch.save(model, "model.pt")      # a pickle: loading it runs whatever code is in it'
_SAFE = 'safetensors.torch.save_file(weights, "model.safetensors")  # numbers and names, nothing to run'
RECORDING = (Path(__file__).parent / "recording_example.py.txt").read_text(encoding="utf-8")  # run in the tests
Unpack = Callable[[bytes, Path, str], Entry]


@dataclass
class Uploads:
    """The files that this session has sent: how many, and what came of the last one."""

    count: int = 0
    kind: str = ""  # of the last one: "upload" for a checkpoint, "recording"
    result: InvalidInput | str = ""  # a refusal, or the name of the model


def checkpoint() -> None:
    """The place to upload a checkpoint, and one sentence on what came of it."""
    with st.container(key="upload"), st.expander(words("upload.title")):
        st.caption(words("upload.hint"))
        _field("upload", "zip", _checkpoint, lambda name: view.choose(card=name))  # the page shows it
        st.subheader(words("upload.pickle"), anchor=False)
        st.text(words("upload.pickle_about"))
        st.code(f"{_UNSAFE}\n{_SAFE}", language="python")
    _say("upload")


def recording() -> None:
    """The place to open a recording, how to make one, and one sentence on what came of it."""
    with st.container(key="recording"), st.expander(words("recording.title")):
        st.caption(words("recording.hint"))
        _field("recording", "npz", check_recording.unpack, _use)
        st.subheader(words("recording.names"), anchor=False)
        st.markdown(words("recording.names_about"))
        st.subheader(words("recording.make"), anchor=False)
        st.code(_recording(), language="python")
    _say("recording")


def _recording() -> str:
    """The program, with a model and a sentence of the user's language."""
    text = RECORDING
    for written, own in zip(import_commands.OTHERWISE, import_commands.example(), strict=True):
        text = text.replace(written, own)
    return text


def _checkpoint(data: bytes, folder: Path, name: str) -> Entry:
    models.torch_of_one_thread()
    return upload_check.unpack(data, folder, name=name)


def _use(name: str) -> None:
    """From now on it is the model in view."""
    view.choose(checkpoint=name, sentence=None)
    view.forget_place()


def _field(kind: str, suffix: str, unpack: Unpack, show: Callable[[str], None]) -> None:
    """The field for a file, and what is to be shown when one has become an entry of the user's own."""
    uploads = state(Uploads)
    # a new widget for each file: the server keeps the bytes of a file for as long as its widget stands
    file = st.file_uploader(
        words(f"{kind}.label", limit=zip_file.MEGABYTES),
        type=suffix,
        key=f"{kind}_{uploads.count}",
        max_upload_size=zip_file.MEGABYTES,
    )
    if file is None:
        return
    uploads.count += 1
    with st.spinner(words(f"{kind}.checking")):
        uploads.kind, uploads.result = kind, _taken(file.getvalue(), Path(file.name).stem, unpack)
    if isinstance(uploads.result, str):
        show(uploads.result)
    script_run.rerun()


def _say(kind: str) -> None:
    result = state(Uploads).result
    if state(Uploads).kind != kind:
        return
    if isinstance(result, InvalidInput):
        notices.say("error", refusal(result))
    elif result in own_models.mine():
        notices.say("info", words(f"{kind}.done", name=result))


def own() -> None:
    """Draw the user's own models and recordings, each with buttons to use, download and remove it."""
    entries = own_models.mine()
    if not entries:
        return
    with page.card("own_models", words("upload.own"), words("upload.own_hint")):
        for name, entry in entries.items():
            with st.container(horizontal=True, vertical_alignment="center", key=f"own_{name}"):
                st.text(name, width="stretch")
                if st.button(words("upload.use"), key=f"use_{name}", type="primary"):
                    _use(name)
                    address.open_page("start")
                file_menu.checkpoint(entry)
                st.button(words("upload.remove"), key=f"remove_{name}", on_click=_remove, args=(name,))


def _taken(data: bytes, name: str, unpack: Unpack) -> InvalidInput | str:
    """The name of the entry that an upload has become, or why it has not."""
    try:
        fair_use.take(fair_use.UPLOADS)
        with tempfile.TemporaryDirectory(prefix="glassformer-upload-") as folder:
            return own_models.add(unpack(data, Path(folder), name))
    except InvalidInput as error:
        return error


def _remove(name: str) -> None:
    own_models.remove(name)
    state(Uploads).result = ""
    view.choose(card=None)
    if view.view().checkpoint == name:
        view.choose(checkpoint=None)
        view.forget_place()
