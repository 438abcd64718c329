"""A reader of a language that a model of ours reads meets sentences of that language, and none of the first model's."""

import re

import pytest

from corpora.grammar import known
from corpora.task_list import grammar_for
from live.units.writing import MODELS
from model.checkpoint import catalogue
from model.course.position import EXAMPLES
from pages.embedding import cuts, word_pieces
from pages.layers.context import PAIRS
from pages.shared.classroom import lessons
from pages.shared.text.words import own_texts
from pages.why.source_share import SUGGESTED
from viz.languages import APP, FIRST, languages, texts_of

COMPLETE = {code for code, language in languages().items() if language.complete}
# words that German sentences have, and neither Spanish nor the English and the names of formats in its texts
GERMAN = re.compile(
    r"\b(?:der|das|dem|und|ist|sind|nicht|kein\w*|ein|eine[nmrs]?|ich|wir|ihr\w*|mein\w*|dein\w*|mir|dir|ihm|haben|habe|"
    r"sein|war|gehen|geht|ins|zu|mit|auf|für|wo|wie|was|gern|möchte|Buch|Kino\w*|Mann|Frau|Uhr|Haus|Hund|Montag|"
    r"schwimmen|gefallen|\w*[äöß]\w*|\w*ü(?!í)\w*)\b"
)
# topics and a rule of the German grammar, a name of a feature of its model, and the letter ä among those of UTF-8
GERMAN_BY_ITSELF = re.compile(
    r"topics_de_en\.\w+|features_name\.your_formal|sets\.auf-deutsch|embedding_merges\.why_bytes|data_rule\.no_article"
)


def test_texts_in_spanish_quote_no_german() -> None:
    texts = own_texts("es") | texts_of("es", "live/words", *APP)
    spanish = re.compile(r"\b\w*[gG]ü[eéií]\w*\b")  # lingüístico
    found = {key: words for key, text in texts.items() if (words := GERMAN.findall(spanish.sub("", text)))}
    assert not {key: words for key, words in found.items() if not GERMAN_BY_ITSELF.fullmatch(key)}


def test_the_words_of_german_are_found() -> None:
    texts = ["Der Mann liest ein Buch.", "Wir gehen heute ins Kino.", "Ich bin müde.", "Decir que no: nicht, kein"]
    assert all(GERMAN.search(text) for text in texts)


@pytest.mark.parametrize("name", lessons.shipped())
def test_each_view_of_a_lesson_that_differs_by_language_has_one_for_each(name: str) -> None:
    for number, part in enumerate(lessons.shipped()[name].parts):
        assert isinstance(part.view, str) or part.view.keys() == COMPLETE, number


@pytest.mark.parametrize("language", catalogue.FIRST_FOR)
def test_what_is_written_for_a_language_is_there_for_each_first_model(language: str) -> None:
    model = catalogue.FIRST_FOR[language]
    assert language in COMPLETE
    assert language in EXAMPLES.keys() & PAIRS.keys() & {*known()} & cuts._WORDS.keys() & word_pieces._WORDS.keys()
    assert model in SUGGESTED
    assert model in cuts.SHIPPED
    assert MODELS[language] == model
    assert grammar_for(language) != grammar_for(FIRST)
    for lesson in lessons.shipped().values():
        for part in lesson.parts:
            if isinstance(part.view, dict):
                assert f"checkpoint={model}" in part.view_in(language)


def test_each_complete_language_but_the_first_has_a_first_model() -> None:
    assert catalogue.FIRST_FOR.keys() == COMPLETE - {FIRST}
