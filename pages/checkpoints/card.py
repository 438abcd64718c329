"""A checkpoint's card on the page: what it does, its attention, what it knows, how well, its data and its parts."""

import shlex
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pandas as pd
import streamlit as st

from corpora.tasks.sequences import LONGEST
from model import initial_weights, transformer
from model.attribution import card_scores
from model.checkpoint import catalogue
from model.checkpoint.card_fields import SHARES, UNKNOWN_LICENCE
from model.checkpoint.recording import Recording
from model.config import TransformerConfig
from model.errors import InvalidInput
from pages.checkpoints import ordinary_scores
from pages.checkpoints.gallery import size_of
from pages.shared.layout import page
from pages.shared.links import FRESH
from pages.shared.models import current, models, own_models, titles
from pages.shared.session import address, view
from pages.shared.text import notices, topics
from pages.shared.text.notices import plain
from pages.shared.text.words import name, refusal, words
from pages.shared.ui import controls
from pages.shared.ui.attention_figure import shown_panels
from pages.shared.ui.downloads import file_menu
from pages.shared.ui.matrices import matrices
from viz.data import Matrix
from viz.numbers import percent, power_of_ten

_READING = {"looks", "knows"}  # tabs of models that read text
_MANY = 10  # topics, of which one is shown at a time
_METRICS = (
    "pairs",
    "exact",
    "hidden",
    "accuracy",
    "most_frequent",
    "possible",
    "characters",
    "bits",
    "ngram_bits",
    "ngram_order",
)
_NAMES = {"bleu": "BLEU", "chrf": "chrF"}  # the same in every language


def entries() -> dict[str, catalogue.Entry]:
    """Every model that has a card: the samples, and the user's own. A recording has none."""
    samples = catalogue.entries()
    own = {name: entry for name, entry in own_models.mine().items() if not isinstance(entry, Recording)}
    return dict(sorted(samples.items(), key=lambda item: item[0] != catalogue.FIRST)) | own


def show(entry: catalogue.Entry) -> None:
    """The whole card, or one sentence on why the checkpoint cannot be used."""
    with page.card("card_shown", plain(entry.name)):
        try:
            card, _ = entry.card, entry.config
            if entry.reads_text:
                models.checkpoint(entry)  # a card is only shown for weights that load
        except InvalidInput as error:
            notices.say("error", refusal(error))
            return
        if "imported" in card:
            st.badge(words("cards.imported", family=plain(card["imported"]["family"])), color="blue")
        st.text(titles.does(card))
        if "variant_of" in card:
            st.text(words("cards.variant", of=card["variant_of"]))
        _figures(entry, card)
        with st.container(horizontal=True, key="card_buttons", vertical_alignment="center"):
            if entry.reads_text:
                _use(entry)
            elif card["task"] == "forecast" and st.button(words("cards.forecast"), key="use_card", type="primary"):
                address.open_page("forecast")
            _compare(entry, card)
            if not own_models.is_own(entry.name) and "imported" not in card:  # own ones have a button in their row
                file_menu.checkpoint(entry)
    tabs = _tabs(entry)
    if view.chosen("show") in _READING - tabs.keys():  # of the card before
        view.forget("show")
    page.tabs("cards", tabs, entry, own={"knows": "topic"})


def _tabs(entry: catalogue.Entry) -> dict[str, Callable[[catalogue.Entry], None]]:
    """The parts of a card; where no text is read there is no attention to see, and no sentence to click."""
    reads: dict[str, Callable[[catalogue.Entry], None]] = {}
    if entry.reads_text:
        reads = {"looks": _picture, "knows": _coverage}
    if "imported" in entry.card:
        return reads | {"data": _source, "parts": _details}
    return reads | {"scores": _tested, "data": _data, "parts": _details}


def systems() -> None:
    """Every preset that can be opened untrained, with its size."""
    entries = current.untrained(0)
    if not entries:
        return
    with st.expander(words("cards.untrained")):
        st.caption(words("cards.untrained_hint"))
        for entry in entries.values():
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
                        _open(entry, None)


_TABLES = ("source_embedding", "target_embedding", "position_tables")


@models.cached(copy=True)
def _size(entry: catalogue.Entry) -> dict[str, int]:
    """Parameters by part, counted without building the weights."""
    with initial_weights.shapes_only():
        return initial_weights.count_parameters(transformer.Transformer(entry.config))


def _use(entry: catalogue.Entry) -> None:
    if st.button(words("cards.use"), key="use_card", type="primary"):
        _open(entry, None)


def _compare(entry: catalogue.Entry, card: dict[str, Any]) -> None:
    """The way to see a variant beside the model that it was made to be compared with."""
    base = card.get("variant_of")
    if base in catalogue.entries() and st.button(words("cards.compare", of=plain(base)), key="compare_card"):
        view.choose(checkpoint=base, sentence=None)
        view.forget_place()
        address.open_page("compare", **(FRESH | {"other": entry.name}))


def _open(entry: catalogue.Entry, sentence: str | None) -> None:
    view.choose(checkpoint=entry.name, sentence=sentence)
    view.forget_place()
    address.open_page("start")


def _figures(entry: catalogue.Entry, card: dict[str, Any]) -> None:
    with st.container(horizontal=True, key="card_figures"):
        st.metric(words("cards.parameters"), f"{card['parameters']['total']:,}")
        st.metric(words("cards.disk"), size_of(entry))
        if "training" in card:
            minutes = card["training"]["minutes"]
            minutes_text = words("cards.minutes", minutes=f"{minutes:.{1 if minutes < 10 else 0}f}")
            st.metric(words("cards.trained"), minutes_text, help=words("cards.one_core"))
        if entry.reads_text:
            st.metric(
                words("cards.limit"),
                words("cards.tokens", count=models.longest_sentence(entry)),
            )


def _picture(entry: catalogue.Entry) -> None:
    """The head to look at first, on the recorded example."""
    example = models.example(entry)
    if example is None:
        return
    look = entry.card["first_look"]
    panel = next((panel for panel in shown_panels(example.trace) if panel.kind == look["attention_kind"]), None)
    if panel is None or look["layer"] >= len(panel.weights) or look["head"] >= panel.weights.shape[1]:
        return
    kind = words(f"attention_figure.{panel.kind}")
    title = words("attention_figure.head_name", kind=kind, layer=look["layer"], head=look["head"])
    with page.card("figure_picture", words("cards.picture")):
        text = words("cards.becomes", sentence=example.sentence, text=example.text)
        st.text(text if example.text else example.sentence)
        matrix = Matrix(
            "weights", title, panel.weights[look["layer"], look["head"]], panel.queries, panel.keys,
            row_axis=words("cards.rows"), column_axis=words("cards.columns"), scale="weight", colour=panel.kind,
        )  # fmt: skip
        matrices("picture", [matrix])
        _trust(entry)


def _trust(entry: catalogue.Entry) -> None:
    """How often the attention names the word that decides, where it was measured."""
    result = card_scores.measured(entry.card)
    if result is None:
        return
    first = result["first"]["attention"][0]
    with st.container(horizontal=True, vertical_alignment="center", key="card_trust"):
        st.text(words("cards.trust", share=percent(first), words=result["words"]), width="content")
        query = address.offer("why") | {"checkpoint": entry.name, "show": "trust"}
        st.page_link(address.script_of("why"), label=words("cards.trust_link"), query_params=query, width="content")


def _coverage(entry: catalogue.Entry) -> None:
    card = entry.card
    with page.card("figure_knows", words("cards.knows"), words("cards.knows_hint")):
        _sentences(entry, "first", card["examples"])
        if len(card["covers"]) > _MANY:
            _topics(entry, card)
        elif card["covers"]:
            with st.expander(words("cards.more")):
                for number, topic in enumerate(card["covers"]):
                    st.caption(plain(topics.title(card, topic["topic"])))
                    _sentences(entry, str(number), topic["examples"])
        st.subheader(words("cards.beyond"), anchor=False)
        st.text(_beyond(card))


def _beyond(card: dict[str, Any]) -> str:
    """Say what the model does not know; of an imported one its authors have to say it."""
    if "imported" in card:
        return words("cards.beyond_imported", source=card["imported"]["source"])
    text = name("beyond", "characters" if card.get("source_language") == "zh" else card["task"])
    return text.format(letters=_letters(card))


def _letters(card: dict[str, Any]) -> int:
    """The greatest number of letters of a word in training, where words of letters were learned."""
    return card.get("run", {}).get("letters", LONGEST)


def _topics(entry: catalogue.Entry, card: dict[str, Any]) -> None:
    """One topic of many: hundreds of buttons at once would keep a browser busy for seconds."""
    covers = {topic["topic"]: topic["examples"] for topic in card["covers"]}
    titles = {topic: topics.title(card, topic) for topic in covers}
    topic_in_view = controls.select("topic", words("cards.topics", count=len(covers)), titles, next(iter(covers)))
    _sentences(entry, "topic", covers[topic_in_view])
    with st.expander(words("cards.list")):
        st.text(" · ".join(titles.values()))


def _sentences(entry: catalogue.Entry, group: str, sentences: list[str]) -> None:
    with st.container(horizontal=True, gap="small", key=f"covers_{group}"):
        for number, sentence in enumerate(sentences):
            if st.button(plain(sentence), key=f"sentence_{group}_{number}"):
                _open(entry, sentence)


def _tested(entry: catalogue.Entry) -> None:
    ordinary_scores.draw(entry)
    _scores(entry.card)
    _outputs(entry.card)


def _outputs(card: dict[str, Any]) -> None:
    """Held-out cases as they came out, the first of each kind."""
    if "outputs" not in card:
        return
    count = sum(score.get("pairs", 0) for test, score in card["scores"].items() if not test.endswith("-seen"))
    with page.card("figure_outputs", words("cards.outputs")):
        for kind, title, none in (
            ("right", words("cards.right"), words("cards.none_right")),
            ("wrong", words("cards.wrong"), words("cards.none_wrong", count=count)),
        ):
            st.subheader(title, anchor=False)
            outputs = card["outputs"][kind]
            if not outputs:
                st.text(none)
                continue
            columns = {"source": "cards.asked", "output": "cards.written"} | (
                {"reference": "cards.wanted"} if kind == "wrong" else {}
            )
            rows = [{words(label): plain(sample[key]) for key, label in columns.items()} for sample in outputs]
            st.table(pd.DataFrame(rows, index=pd.Index(range(1, len(rows) + 1))))


def _scores(card: dict[str, Any]) -> None:
    with page.card("figure_scores", words("cards.scores")):
        rows = {
            plain(name("sets", test)): {_metric(key): _metric_text(key, value) for key, value in _shown(score).items()}
            for test, score in card["scores"].items()
        }
        table = pd.DataFrame.from_dict(rows, orient="index").fillna("")
        st.table(table.T if len(rows) == 1 else table)
        if any(test.endswith("-seen") for test in card["scores"]):
            st.caption(words("cards.seen"))
        bleu_scores = [score for score in card["scores"].values() if "bleu_signature" in score]
        if bleu_scores:
            st.caption(plain(f"sacrebleu {bleu_scores[0]['bleu_signature']}, {bleu_scores[0]['chrf_signature']}"))


def _shown(score: dict[str, Any]) -> dict[str, Any]:
    """The metrics of a score, ours in their order first, without what no table can hold."""
    order = [key for key in (*_METRICS, *_NAMES) if key in score]
    others = [key for key, value in score.items() if key not in order and isinstance(value, (int, float))]
    return {key: score[key] for key in (*order, *others)}


def _metric(key: str) -> str:
    return plain(_NAMES.get(key) or name("metrics", key))


def _metric_text(key: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return plain(str(value))
    if key in SHARES:
        return percent(value, 1)
    return f"{value:.1f}" if key in _NAMES else f"{value:,}"


def _data(entry: catalogue.Entry) -> None:
    card = entry.card
    with page.card("figure_data", words("cards.data")):
        unit = words("metrics.characters") if card["task"] == "text" else words("metrics.pairs")
        rows = {
            plain(name("sets", data["name"])): {unit: f"{data['pairs']:,}", words("cards.licence"): _licence(data)}
            for data in card["data"]
        }
        st.table(pd.DataFrame.from_dict(rows, orient="index"))
        for data in card["data"]:
            about = name("data_about", data["name"])
            if about != data["name"]:
                st.caption(about.format(letters=_letters(card)))
        if "splits" in card:
            sizes = (f"{name('splits', split)} {count:,}" for split, count in card["splits"].items())
            st.caption(plain(" · ".join(sizes)))


def _source(entry: catalogue.Entry) -> None:
    """Draw the origin of an imported model: its name, revision, family and licence."""
    origin = entry.card["imported"]
    with page.card("figure_data", words("cards.source")):
        licence = words("cards.no_licence") if origin["licence"] == UNKNOWN_LICENCE else origin["licence"]
        rows = {
            words("cards.original"): origin["source"],
            words("cards.revision"): origin["revision"] or "–",
            words("cards.family"): origin["family"],
            words("cards.licence"): licence,
        }
        st.table(pd.Series({label: plain(value) for label, value in rows.items()}, name=plain(entry.name)))
        st.caption(words("cards.converted"))
        _check(entry.card)


def _check(card: dict[str, Any]) -> None:
    """Say whether the import was compared with the original, and how to do that."""
    if checked := card.get("checked"):
        difference = power_of_ten(checked["difference"])
        st.caption(plain(words("cards.checked", **checked | {"difference": difference})))
        if checked["otherwise"]:
            texts = " · ".join(map(repr, checked["otherwise"]))
            st.caption(plain(words("cards.otherwise", texts=texts)))
    else:
        st.caption(words("cards.not_checked"))
        st.code(f"{_import_command(card)} --check", language=None)


def _import_command(card: dict[str, Any]) -> str:
    """The command that imports the model again; of a folder that has no name on the hub its user knows the place."""
    origin = card["imported"]
    source = origin["source"] if origin["revision"] else f"path/to/{origin['source']}"
    return f".venv/bin/python -m model import {shlex.quote(source)}"


def _licence(data: dict[str, Any]) -> str:
    ours = {"ours": words("cards.ours"), "yours": words("cards.yours")}
    return ours.get(data["licence"]) or plain(data["licence"])


def _details(entry: catalogue.Entry) -> None:
    card, config = entry.card, entry.config
    with page.card("figure_parts", words("cards.details")):
        _origin(card)
        left, right = st.columns(2)
        with left:
            st.subheader(words("cards.by_part"), anchor=False)
            parts = {_part(part, config): f"{count:,}" for part, count in card["parameters"].items()}
            st.table(pd.Series(parts, name=words("cards.parameters")))
            _tied(card, config)
        with right:
            st.subheader(words("cards.config"), anchor=False)
            fields = {field: plain(str(value)) for field, value in asdict(config).items()}
            st.table(pd.Series(fields, name="TransformerConfig"))


def _origin(card: dict[str, Any]) -> None:
    """The command that makes the model again, or the run that it comes from."""
    if "imported" in card:
        st.subheader(words("cards.command"), anchor=False)
        st.code(_import_command(card), language=None)
        return
    origin = {key: card["training"][key] for key in ("seed", "steps", "minutes")}
    if card["command"]:
        st.subheader(words("cards.command"), anchor=False)
        st.code(card["command"], language=None)
        st.caption(words("cards.seed", **origin))
    else:
        st.caption(words("cards.from_page", seed=origin["seed"], steps=origin["steps"]))


def _tied(card: dict[str, Any], config: TransformerConfig) -> None:
    """Say how many parameters one table for source, target and output saves."""
    table, vocabulary = card["parameters"].get("source_embedding"), config.source_vocabulary
    both = config.architecture == "encoder-decoder"
    if both and table and vocabulary and config.tied_embeddings == "all":
        sizes = {"vocabulary": f"{vocabulary:,}", "d_model": table // vocabulary}
        st.caption(words("cards.tied", **sizes, table=f"{table:,}", saved=f"{2 * table:,}"))


def _part(part: str, config: TransformerConfig) -> str:
    if part == "source_embedding" and config.tied_embeddings == "all":
        return words("parts.shared_embedding")
    return plain(name("parts", part))
