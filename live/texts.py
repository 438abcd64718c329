"""The texts of live pages: the app's own, picked from its files, and the few that only live pages have."""

from collections.abc import Collection, Iterable
from functools import cache

from viz.components import attention, timeline
from viz.components.matrix import matrix_data
from viz.html.prose import MARK
from viz.languages import APP, FIRST, languages, texts_of

# tables that live pages have as a whole
_TABLES = (
    "live", "live_intervene", "live_position", "live_problem",
    "attention_kind_about", "attention_step", "attention_about", "attention_positions", "attention_part",
    "attention_stages", "decoding_attention", "decoding_stopped", "explain", "gloss", "intervene_change",
    "intervene_encoder", "intervene_map", "intervene_outputs", "languages", "position_methods", "scripts", "sets",
    "positions_in_attention", "task_titles", "tasks", "norms_figure",
)  # fmt: skip
_KEYS = (
    "attention_title.stages", "attention_hint.stages", "decoding_title.attention", "decoding_hint.attention",
    "decoding.encoder", "decoding.leaf", "decoding.word", "decoding.word_hint", "decoding.force", "decoding.unknown",
    "decoding.view", "decoding_forks.title", "decoding_forks.first", "decoding_forks.place",
    "decoding_forks.clear", "decoding_forks.forced", "decoding_forks.log_probability", "decoding_forks.bad",
    "frame.language", "frame.model", "frame.nothing", "frame.sentence", "frame.sentence_hint", "hint.cause",
    "intervene.step", "intervene_reach.layer", "intervene_try.matters", "intervene_try.no_matters",
    "intervene_try.searching", "intervene_about.probability", "intervene_about.effect",
    "intervene_candidates.probability",
    "norms.about", "norms.alike", "norms.falls", "norms.label", "norms.limits", "norms.sink", "norms.waits",
    "labels.title", "labels.hint_one", "labels.hint_token", "labels.hint_several", "labels.hint_score",
    "labels.hint_span", "labels.label", "labels.token", "labels.probability", "labels.number", "labels.start",
    "labels.end", "labels.text", "labels.answer", "labels.no_answer",
    "intervene_cosine.change", "intervene_how.off", "intervene_list.bad", "intervene_list.clear",
    "intervene_list.remove", "intervene_probability.change", "intervene_show.effect", "intervene_show.probability",
    "notice.between", "notice.characters", "notice.empty", "notice.fit_script", "notice.fit_words", "notice.more",
    "notice.numbers", "notice.pieces", "notice.spaces", "notice.unknown", "notice.unseen", "page.back", "page.next",
    "place.attention_kind",
    "place.layer", "position.axis_column", "position.axis_m", "position.axis_n", "position.axis_position",
    "position.distance_title", "position.kind_learned", "position.note_none", "position.products_matrix",
    "position.table_matrix", "position.table_title", "progress.done", "start.examples",
    "start.lead_alone", "start.lead_in", "take.licence", "take.link", "cards.ours", "cards.yours", "take.link_done",
)  # fmt: skip
_PAGES = ("start", "attention", "decoding", "intervene", "position")
_FIGURES = {"attention_figure": attention.WORDS, "matrix_figure": matrix_data.WORDS, "player": timeline.WORDS}
_REFUSED = (
    "sentence_empty",
    "sentence_characters",
    "sentence_tokens",
    "sentence_control",
    "sentence_pair",
    "sentence_texts",
)


def speaks() -> dict[str, dict[str, object]]:
    """What a page has to know of each language, by its code."""
    return {
        code: {"short": each.short, "name": each.name, "tag": each.tag, "direction": each.direction,
               "spaces": each.spaces, "preferred": each.preferred}
        for code, each in languages().items()
    }  # fmt: skip


def texts(language: str) -> dict[str, str]:
    """Texts of a live page in a language, by `table.key`. Raises KeyError if the app has no such text."""
    pages = [key for page in _PAGES for key in (f"pages.{page}", f"{page}.question", f"{page}.lead")]
    return picked(language, _TABLES, (*_KEYS, *pages), _FIGURES, _REFUSED)


def picked(
    language: str,
    tables: Collection[str],
    keys: Iterable[str],
    figures: Collection[str],
    refused: Iterable[str] = (),
) -> dict[str, str]:
    """Texts of whole tables, of single keys, of the words of figures, and the sentences of refusals by their codes.

    Raises KeyError if the app has no such text.
    """
    known = _catalogue(language)
    all_keys = [*keys, *(key for key in known if key.partition(".")[0] in tables)]
    all_keys += [f"{table}.{word}" for table in figures for word in _FIGURES[table]]
    texts_by_key = {key: _plain(known[key], known) for key in all_keys}
    return texts_by_key | {f"refused.{code}": known[f"refused.{code}"] for code in refused}


def template(language: str, key: str) -> str:
    """A text as it is written, with its blanks and marked terms. Raises KeyError if the app has no such text."""
    return _catalogue(language)[key]


def _plain(text: str, known: dict[str, str]) -> str:
    """A text without links to the glossary, which stays in the app."""
    return MARK.sub(lambda term: term[2] or known[f"term_{term[1]}.name"], text)


@cache
def _catalogue(language: str) -> dict[str, str]:
    """All texts of the app and of live pages, in English those that the language lacks."""
    return texts_of(FIRST, "live/words", *APP) | texts_of(language, "live/words", *APP)
