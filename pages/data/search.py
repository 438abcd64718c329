"""Searching the training sentences by words, topic and pattern; each found one leads to those that are like it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from corpora import translation
from corpora.text_index import TextIndex
from model.checkpoint import catalogue
from pages.shared.text import topics
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.marked_terms import link
from viz.figures.figure import Numbers
from viz.html.plain_table import linked_table_html, table_html

LONGEST = 100  # characters of what is searched for
SHOWN = 20  # sentences
MANY = 60  # patterns, above which a topic has to be chosen first
ANY = "any"
_SLOT, _CHOICE, _GAPS = re.compile(r"\{[^{}]*\}"), re.compile(r"\([^()]*\)"), re.compile(r"…(?:\s*…)+")
Groups = Mapping[str, Mapping[str, Sequence[int]]]


def figure(entry: catalogue.Entry, index: TextIndex, groups: Groups) -> None:
    """The controls, and the shortest of the sentences that they choose."""
    query = controls.text("find", words("data_corpus.find"), "", LONGEST)
    topic, pattern = _chosen(entry, index, groups) if groups.get("topic") else (ANY, ANY)
    if not groups.get("topic"):
        show.caption(words("data_corpus.no_groups"))
    if not query.strip() and topic == pattern == ANY:
        return
    found = [index.holding_all(query)] if query.strip() else []
    found += [set(groups["topic"][topic])] if topic != ANY else []
    found += [set(groups["pattern"][pattern])] if pattern != ANY else []
    numbers = set.intersection(*found)
    shown = index.shortest_first(numbers)[:SHOWN]
    is_of_grammar = pattern != ANY and pattern not in section("data_pattern")
    follows = words("data_corpus.follows", pattern=gist(pattern)) if is_of_grammar and _has_words(pattern) else ""
    found_text = words("data_corpus.found", count=len(numbers), of=len(index.pairs), shown=len(shown))
    show.text(sentences(found_text, follows))
    if shown:
        table(entry, index, groups, shown)


def table(entry: catalogue.Entry, index: TextIndex, groups: Groups, shown: Sequence[int]) -> None:
    """Sentences by their numbers, each with a link to those of its topic and pattern, where these are known."""
    heads = [words("data_corpus.source"), words("data_corpus.target")]
    pairs = [index.pairs[number] for number in shown]
    of = {kind: [_names(groups.get(kind, {}), number) for number in shown] for kind in ("topic", "pattern")}
    titles = [[_topic(entry, name) for name in names] for names in of["topic"]]
    if not any(of["topic"]):
        show.table(table_html(heads, pairs, texts=1))
    else:
        first = [
            (pair.source, link("data", {"show": "corpus", "of_topic": (topic or [ANY])[0],
                                        "of_pattern": (pattern or [ANY])[0]}))
            for pair, topic, pattern in zip(pairs, of["topic"], of["pattern"], strict=True)
        ]  # fmt: skip
        cells = [(pair.target, ", ".join(title)) for pair, title in zip(pairs, titles, strict=True)]
        show.table(linked_table_html([*heads, words("data_corpus.topic")], first, cells, texts=2))
        show.caption(words("data_corpus.like"))
    rows = [
        {"source": pair.source, "target": pair.target, "topic": " ".join(topic), "pattern": " ".join(pattern)}
        for pair, topic, pattern in zip(pairs, of["topic"], of["pattern"], strict=True)
    ]
    export.files("data-found", Numbers(rows), measured={"sentences": len(index.pairs)})


def gist(pattern: str) -> str:
    """A pattern's fixed words, and … for each slot and for what has alternatives."""
    return _GAPS.sub("…", _CHOICE.sub("…", _SLOT.sub("…", pattern)))


def _has_words(pattern: str) -> bool:
    return re.search(r"\w", gist(pattern)) is not None


def _chosen(entry: catalogue.Entry, index: TextIndex, groups: Groups) -> tuple[str, str]:
    """The topic and the pattern; of many patterns only those of the topic can be chosen."""
    options = {ANY: words("data_corpus.any")} | {
        name: words("data_without.group", name=_topic(entry, name), count=len(own))
        for name, own in groups["topic"].items()
    }
    topic = controls.select("of_topic", words("data_without.which_topic"), options, ANY)
    own = set(groups["topic"].get(topic, ()))
    patterns = {name: len(own.intersection(each) if own else each) for name, each in groups["pattern"].items()}
    patterns = {name: count for name, count in patterns.items() if count}
    if not patterns or (topic == ANY and len(patterns) > MANY):
        return topic, ANY
    options = {ANY: words("data_corpus.any")} | {
        name: words("data_without.group", name=_pattern(index, name, groups["pattern"][name]), count=count)
        for name, count in sorted(patterns.items(), key=lambda each: -each[1])
    }
    return topic, controls.select("of_pattern", words("data_without.which_pattern"), options, ANY)


def _names(own: Mapping[str, Sequence[int]], number: int) -> list[str]:
    return [name for name, numbers in own.items() if number in numbers]


def _topic(entry: catalogue.Entry, name: str) -> str:
    if name == translation.WRITTEN:
        return words("data_corpus.written")
    return section("data_topic").get(name) or topics.title(entry.card, name)


def _pattern(index: TextIndex, name: str, numbers: Sequence[int]) -> str:
    """A pattern by its name, or by its fixed words and the shortest of its sentences."""
    if title := section("data_pattern").get(name):
        return title
    example = index.pairs[index.shortest_first(numbers)[0]].source
    return words("data_corpus.such_as", pattern=gist(name) if _has_words(name) else "…", example=example)
