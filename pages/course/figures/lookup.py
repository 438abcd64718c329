"""Step 1, the look-up: the weights of one query over the tokens that were read, with a factor on the scores."""

from model.analysis.softmax import softmax
from model.course import head, lookup, tokens
from model.course.question import Question
from pages.course import token_choice
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.basic.bars import bars_chart


def figure(current_run: CurrentRun) -> Question:
    trace = current_run.trace
    place = head.of_card(current_run.entry.card, current_run.entry.config)
    scores = lookup.scores(trace, *place)  # (Q, K)
    first = tokens.longest(trace.output_tokens)
    query = token_choice.pick("token", words("course_lookup.token"), trace.output_tokens, first)
    factor = controls.slider("factor", words("course_lookup.factor"), 0.0, 4.0, 1.0, 0.25)
    weights = softmax(factor * scores[query].astype(float))  # (K)
    names = list(tokens.numbered(trace.source_tokens))
    chart = bars_chart(names, weights.tolist(), section("course_lookup_chart"))
    show.figure("course-lookup", chart)
    return lookup.question(trace, *place)
