"""A checkpoint's card on the page: task, coverage, data, size, scores, config."""

import pandas as pd
import streamlit as st

from model import catalogue
from model.refused import Refused
from pages.shared import models, notices, view
from pages.shared.notices import plain
from pages.shared.words import name, refusal, words


def show(entry: catalogue.Entry) -> None:
    """The whole card, or one sentence on why the checkpoint cannot be used."""
    with st.container(border=True, key=f"card_{entry.name}"):
        st.header(plain(entry.name), anchor=False)
        try:
            card, config = entry.card, entry.config
            models.checkpoint(entry)  # a card is only shown for weights that load
        except Refused as error:
            notices.say("error", refusal(error))
            return
        source, target = (name("languages", card[side]) for side in ("source_language", "target_language"))
        st.text(name("tasks", card.get("task", "translation")).format(source=source, target=target))
        _figures(entry, card)
        _coverage(entry, card)
        left, right = st.columns(2)
        with left:
            _scores(card)
        with right:
            _data(card)
        with st.expander(words("cards.details")):
            _details(card, config)


def systems() -> None:
    """Every preset that can be opened untrained, with its size."""
    untrained = catalogue.untrained(0)
    if not untrained:
        return
    st.header(words("cards.untrained"), anchor=False)
    st.caption(words("cards.untrained_hint"))
    for entry in untrained.values():
        preset = entry.name.removeprefix(catalogue.UNTRAINED)
        with st.container(border=True, key=f"card_{entry.name}"):
            st.subheader(words(f"presets.{preset}"), anchor=False)
            st.text(words(f"presets_about.{preset}"))
            with st.container(horizontal=True, vertical_alignment="center", key=f"system_{preset}"):
                parts = _size(entry)
                tables = sum(count for part, count in parts.items() if part in _TABLES)
                st.metric(words("cards.parameters"), f"{parts['total']:,}")
                st.metric(words("cards.without"), f"{parts['total'] - tables:,}")
                if st.button(words("cards.open"), key=f"open_{preset}"):
                    view.choose(checkpoint=entry.name)
                    view.forget_place()
                    view.open_page("start")


_TABLES = ("source_embedding", "target_embedding", "position_tables")


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _size(entry: catalogue.Entry) -> dict[str, int]:
    """Parameters by part, counted without building the weights."""
    import torch

    from model.checkpoints import read_config
    from model.transformer import Transformer, count_parameters

    with torch.device("meta"):
        return count_parameters(Transformer(read_config(entry.config)))


def _figures(entry: catalogue.Entry, card: dict) -> None:
    size = sum(file.stat().st_size for file in entry.folder.iterdir() if file.is_file())
    training = card["training"]
    with st.container(horizontal=True, key=f"figures_{entry.name}"):
        st.metric(words("cards.parameters"), f"{card['parameters']['total']:,}")
        st.metric(words("cards.disk"), f"{size / 1e6:.1f} MB")
        st.metric(words("cards.trained"), words("cards.minutes", minutes=f"{training['minutes']:.0f}"))
        st.metric(words("cards.limit"), words("cards.tokens", count=entry.config["max_length"]))


def _coverage(entry: catalogue.Entry, card: dict) -> None:
    st.subheader(words("cards.covers"), anchor=False)
    st.caption(words("cards.covers_hint"))
    _sentences(entry, "first", card["examples"])
    with st.expander(words("cards.topics", count=len(card["covers"]))):
        for topic in card["covers"]:
            st.caption(name("topics", topic["topic"]))
            _sentences(entry, topic["topic"], topic["examples"])
    st.caption(words("cards.beyond"))


def _sentences(entry: catalogue.Entry, group: str, sentences: list[str]) -> None:
    with st.container(horizontal=True, gap="small", key=f"covers_{entry.name}_{group}"):
        for number, sentence in enumerate(sentences):
            if st.button(plain(sentence), key=f"try_{entry.name}_{group}_{number}"):
                view.choose(checkpoint=entry.name, sentence=sentence)
                view.forget_place()
                view.open_page("start")


def _scores(card: dict) -> None:
    st.subheader(words("cards.scores"), anchor=False)
    rows = {
        name("sets", test): {
            words("cards.pairs"): score["pairs"],
            words("cards.exact"): f"{score['exact']:.1%}",
            "BLEU": f"{score['bleu']:.1f}",
            "chrF": f"{score['chrf']:.1f}",
        }
        for test, score in card["scores"].items()
    }
    st.table(pd.DataFrame.from_dict(rows, orient="index"))


def _data(card: dict) -> None:
    st.subheader(words("cards.data"), anchor=False)
    rows = {
        name("sets", data["name"]): {
            words("cards.pairs"): f"{data['pairs']:,}",
            words("cards.licence"): words("cards.ours") if data["licence"] == "ours" else data["licence"],
        }
        for data in card["data"]
    }
    st.table(pd.DataFrame.from_dict(rows, orient="index"))


def _details(card: dict, config: dict) -> None:
    st.subheader(words("cards.command"), anchor=False)
    st.code(card["command"], language="bash")
    first = next(iter(card["scores"].values()))
    st.caption(plain(f"sacrebleu {first['bleu_signature']}, {first['chrf_signature']}"))
    left, right = st.columns(2)
    with left:
        st.subheader(words("cards.by_part"), anchor=False)
        parts = {name("parts", part): f"{count:,}" for part, count in card["parameters"].items()}
        st.table(pd.Series(parts, name=words("cards.parameters")))
    with right:
        st.subheader(words("cards.config"), anchor=False)
        st.table(pd.Series({field: str(value) for field, value in config.items()}, name="TransformerConfig"))
