"""Step 1, the look-up: the weights of one query over the tokens that were read, with a factor on the scores."""

from model.analysis.softmax import softmax
from model.trace import path
from pages.course import heads, tokens
from pages.course.question import Question, among
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from viz.charts.basic.bars import bars_chart


def figure(current_run: CurrentRun) -> Question:
    trace = current_run.trace
    layer, head = heads.of_card(current_run.entry)
    scores = trace.values[f"{path('cross', layer)}.scores"][head]  # (Q, K)
    first = tokens.longest(trace.output_tokens)
    query = tokens.pick("token", words("course_lookup.token"), trace.output_tokens, first)
    factor = controls.slider("factor", words("course_lookup.factor"), 0.0, 4.0, 1.0, 0.25)
    weights = softmax(factor * scores[query].astype(float))  # (K)
    names = list(tokens.numbered(trace.source_tokens))
    chart = bars_chart(names, weights.tolist(), section("course_lookup_chart"), chosen=int(weights.argmax()))
    show.figure("course-lookup", chart)
    share = 1 / len(weights)
    usual = float(softmax(scores[first].astype(float)).max())
    wrong = ["0", "1", f"{usual:.3f}", "0.500"]
    return among(f"{share:.3f}", wrong, count=len(weights), share=f"{share:.3f}")
