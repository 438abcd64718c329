"""What an edge of the graph says, as a sentence."""

from __future__ import annotations

from model.attribution.paths import pruning
from pages.shared.text.words import words
from pages.why.paths import cached_paths
from pages.why.question_asked import AskedQuestion
from viz.numbers import signed


class Texts:
    """The words for the tokens and edges of one question."""

    def __init__(self, subject: AskedQuestion):
        trace, self._graph = subject.question.run.trace, cached_paths.contributions(subject.key)
        self._tokens = {"encoder": trace.source_tokens, "decoder": trace.target_tokens}
        self._alone = len(self._graph.inputs) == 1
        self.answer = subject.token if subject.rather is None else f"{subject.token} − {subject.other}"
        self._written = subject.token

    def token(self, side: str, place: int) -> str:
        """What stands at a place of a side."""
        return self._tokens[side][place]

    def edge(self, edge: pruning.Edge) -> tuple[str, str]:
        """A short name, and the sentence."""
        step = self._graph.steps[edge.step]
        own = step.part if self._alone or edge.kind == "cross" else f"{step.side}_{step.part}"
        title = words(f"why_paths.{own}", layer=edge.layer, head=0 if edge.head is None else edge.head)
        name = words("frame.part_named", name=title, part=edge.part)
        row = self.token(step.side, edge.row)
        values = {"name": name, "row": row, "value": signed(edge.value), "token": self._written}
        if edge.key is None:
            return name, words("why_paths.says_feed_forward", **values)
        values["from"] = self.token("encoder" if edge.kind == "cross" else step.side, edge.key)
        writes = (step.side, edge.row) == (self._graph.side, self._graph.row)
        return name, words("why_paths.says_last" if writes else "why_paths.says_head", **values)
