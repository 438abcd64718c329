"""A checkpoint from a user: the upload, what came of it, and the models that they have."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from model.errors import InvalidInput
from model.upload import check
from pages.shared.layout import page
from pages.shared.load import fair_use
from pages.shared.models import cache
from pages.shared.models import own_models as own_models
from pages.shared.session import address, script_run, view
from pages.shared.session.state import state
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui.downloads import files

_UNSAFE = 'torch.save(model, "model.pt")      # a pickle: loading it runs whatever code is in it'
_SAFE = 'safetensors.torch.save_file(weights, "model.safetensors")  # numbers and names, nothing to run'
MEGABYTES = 50  # as server.maxUploadSize and model.upload.zip_file.LIMITS have it


@dataclass
class Uploads:
    """The files that this session has sent: how many, and what came of the last one."""

    count: int = 0
    result: InvalidInput | str = ""  # a refusal, or the name of the model


def upload() -> None:
    """The place to upload a checkpoint, one sentence on what came of it, and the models that the user has."""
    uploads = state(Uploads)
    with st.container(key="upload"), st.expander(words("upload.title")):
        st.caption(words("upload.hint"))
        # a new widget for each file: the server keeps the bytes of a file for as long as its widget stands
        file = st.file_uploader(
            words("upload.label", limit=MEGABYTES),
            type="zip",
            key=f"upload_{uploads.count}",
            max_upload_size=MEGABYTES,
        )
        if file is not None:
            with st.spinner(words("upload.checking")):
                uploads.result = _taken(file.getvalue(), Path(file.name).stem)
            uploads.count += 1
            if isinstance(uploads.result, str):
                view.choose(card=uploads.result)  # the page shows it
            script_run.rerun()
        st.subheader(words("upload.pickle"), anchor=False)
        st.text(words("upload.pickle_about"))
        st.code(f"{_UNSAFE}\n{_SAFE}", language="python")
    if isinstance(uploads.result, InvalidInput):
        notices.say("error", refusal(uploads.result))
    elif uploads.result in own_models.mine():
        notices.say("info", words("upload.done", name=uploads.result))
    _own()


def _own() -> None:
    """What can be done with each of the user's own models."""
    own = own_models.mine()
    if not own:
        return
    with page.card("own_models", words("upload.own"), words("upload.own_hint")):
        for name, entry in own.items():
            with st.container(horizontal=True, vertical_alignment="center", key=f"own_{name}"):
                st.text(name, width="stretch")
                if st.button(words("upload.use"), key=f"use_{name}", type="primary"):
                    view.choose(checkpoint=name, sentence=None)
                    view.forget_place()
                    address.open_page("start")
                files.checkpoint(entry)
                st.button(words("upload.remove"), key=f"remove_{name}", on_click=_remove, args=(name,))


def _taken(data: bytes, name: str) -> InvalidInput | str:
    """The name of the model that an upload has become, or why it has not."""
    cache.torch_of_one_thread()

    try:
        fair_use.take(fair_use.UPLOADS)
        with tempfile.TemporaryDirectory(prefix="glassformer-upload-") as folder:
            return own_models.add(check.unpack(data, Path(folder), name=name))
    except InvalidInput as error:
        return error


def _remove(name: str) -> None:
    own_models.remove(name)
    state(Uploads).result = ""
    view.choose(card=None)
    if view.view().checkpoint == name:
        view.choose(checkpoint=None)
        view.forget_place()
