"""The frame: logo, language, model, sentence, the table of contents, and the one style sheet."""

from pathlib import Path

import streamlit as st

from model import catalogue
from model.refused import Refused
from pages.shared import components, models, view
from pages.shared.reading import sentence_of
from pages.shared.warmup import is_warm, warm_up
from pages.shared.words import name, words

HERE = Path(__file__).parent
# section: the pages in it, each a file of pages/ and a title in the catalogue of words
CONTENTS = {
    "": ("start",),
    "see": ("primer", "embedding", "position", "energy", "masks", "attention", "layers", "decoding"),
    "try": ("intervene",),
    "manage": ("checkpoints",),
}
HOME = "start"
ICON = str(HERE / "frontend" / "logo.svg")


def pages() -> dict[str, list[st.Page]]:
    """Every page by its section, the addresses the same in every language."""
    return {
        section: [
            st.Page(f"{name}.py", title=words(f"pages.{name}"), url_path=name, default=name == HOME) for name in names
        ]
        for section, names in CONTENTS.items()
    }


def name_of(page: st.Page) -> str:
    """The name of a page, which is its address too."""
    return page.url_path or HOME


def style() -> None:
    """The look that the theme alone cannot give, and the language for screen readers."""
    st.html(f"<style>{(HERE / 'frontend' / 'frame.css').read_text(encoding='utf-8')}</style>")
    components.document_language(view.language())


def sidebar() -> None:
    """Language, model and sentence, then the pages by section."""
    with st.sidebar:
        components.logo()
        st.segmented_control(
            words("frame.language"),
            list(view.LANGUAGES),
            format_func=view.LANGUAGES.__getitem__,
            required=True,
            label_visibility="collapsed",
            width="stretch",
            **view.bound("language", view.language()),
        )
        entry = view.entry()
        if entry is not None:
            _model(entry)
            _sentence(entry)
        for section, names in CONTENTS.items():
            with st.container(key=f"contents_{section or HOME}", gap=None):
                if section:
                    st.caption(words(f"sections.{section}"))
                for name in names:
                    st.page_link(f"{name}.py", label=words(f"pages.{name}"), query_params=view.address(name))


def finish() -> None:
    """Mirror the view in the URL, and wait for the model where a recorded example stands in for it."""
    view.write_address()
    if not is_warm():
        warm_up()
        _wait_for_model()


def _model(entry: catalogue.Entry) -> None:
    titles = {checkpoint: _title(checkpoint) for checkpoint in view.models()}
    st.selectbox(
        words("frame.model"),
        list(titles),
        format_func=titles.__getitem__,
        **view.bound("checkpoint", entry.name, view.forget_place),
    )
    if isinstance(entry, catalogue.Untrained):
        st.number_input(words("frame.seed"), min_value=0, max_value=99_999, step=1, **view.bound("seed", entry.seed))


def _title(checkpoint: str) -> str:
    if checkpoint.startswith(catalogue.UNTRAINED):
        return words("frame.untrained", name=words(f"presets.{checkpoint.removeprefix(catalogue.UNTRAINED)}"))
    try:
        card = catalogue.find(checkpoint).card
        source, target = (name("languages", card[side]) for side in ("source_language", "target_language"))
        return f"{checkpoint} · {source} → {target}"
    except Refused:
        return f"{checkpoint} · {words('frame.damaged')}"


def _sentence(entry: catalogue.Entry) -> None:
    try:
        default = sentence_of(entry)
    except Refused:
        default = ""
    typed = view.view().sentence
    st.text_input(
        words("frame.sentence"),
        placeholder=words("frame.sentence_hint"),
        autocomplete="off",
        **view.bound("sentence", default if typed is None else typed),
    )
    _count(entry, default)


def _count(entry: catalogue.Entry, sentence: str) -> None:
    try:
        count = len(models.tokenizer(entry).encode(sentence))
        st.caption(words("frame.count", count=count, limit=entry.config["max_length"]))
    except Refused:  # the page itself says what is wrong with the checkpoint
        return


@st.fragment(run_every=0.5)
def _wait_for_model() -> None:
    if is_warm():
        st.rerun()
