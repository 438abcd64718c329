"""The topics of the grammar, with examples and their share of the corpus."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from model.corpora.german.topics import describing, everyday, fixed, particles, themes, verbs
from model.corpora.pairs import Pair


@dataclass(frozen=True)
class Topic:
    """One kind of sentence: `generator` draws a pair, `weight` is its share of the draws."""

    key: str
    examples: tuple[str, ...]
    weight: float
    generator: Callable[[random.Random], Pair]


TOPICS: tuple[Topic, ...] = (
    Topic("statements", (), 8, everyday.statements),
    Topic("going", (), 6, everyday.going),
    Topic("daily_routine", (), 3, everyday.daily_routine),
    Topic("time_first", (), 7, everyday.time_first),
    Topic("negation", (), 6, everyday.negation),
    Topic("yes_no_questions", (), 6, everyday.yes_no_questions),
    Topic("w_questions", (), 5, everyday.w_questions),
    Topic("liking", (), 5, everyday.liking),
    Topic("modals", (), 8, verbs.modals),
    Topic("modal_questions", (), 3, verbs.modal_questions),
    Topic("perfekt", (), 8, verbs.perfekt),
    Topic("perfekt_questions", (), 3, verbs.perfekt_questions),
    Topic("already", (), 2, verbs.already),
    Topic("past_of_being", (), 3, verbs.past_of_being),
    Topic("reflexives", (), 4, verbs.reflexives),
    Topic("imperatives", (), 4, verbs.imperatives),
    Topic("subordinate", (), 5, verbs.subordinate),
    Topic("joined", (), 3, verbs.joined),
    Topic("dative", (), 6, verbs.dative),
    Topic("things", (), 5, describing.thing_is),
    Topic("people", (), 5, describing.person_is),
    Topic("attributes", (), 6, describing.attributes),
    Topic("comparing", (), 2, describing.comparing),
    Topic("where_things_are", (), 5, describing.where_things_are),
    Topic("where_people_are", (), 4, describing.where_people_are),
    Topic("there_is", (), 2, describing.there_is),
    Topic("pleasing", (), 4, describing.pleasing),
    Topic("introductions", (), 4, themes.introductions),
    Topic("professions", (), 2.5, themes.professions),
    Topic("languages", (), 2.5, themes.languages),
    Topic("age_family", (), 3, themes.age_family),
    Topic("orders", (), 4, themes.orders),
    Topic("having", (), 4, themes.having),
    Topic("body", (), 2.5, themes.body),
    Topic("weather", (), 3, themes.weather),
    Topic("clock_times", (), 3, themes.clock_times),
    Topic("prices", (), 3, themes.prices),
    Topic("directions", (), 2.5, themes.directions),
    Topic("lengths", (), 1, themes.lengths),
    Topic("who_is_it", (), 3, themes.who_is_it),
    Topic("one_does", (), 1.5, themes.one_does),
    Topic("small_words", (), 3, particles.small_words),
    Topic("which", (), 4, particles.which),
    Topic("companions", (), 4, particles.companions),
    Topic("everyday_sentences", (), 3, fixed.everyday_sentences),
    Topic("word_list", (), 2, fixed.word_list),
)
