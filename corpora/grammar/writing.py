"""Writing what was drawn in one of the two languages: inflected words in order, each with the draw it comes from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from corpora.grammar.drawing import Node
from corpora.grammar.inflection import Features, Inflection, features
from corpora.grammar.patterns import Literal, Mention
from corpora.grammar.words import BARE, PARTICLE, Entry

_OPENED = re.compile(r"([¿¡(„]) ")  # no word was where a pattern has one
_NO_CASE_YET = re.compile(r"(^|[.?!] |, (?=[\"“]))([^\w]*)(\w)")


class Token(NamedTuple):
    """A word or mark. `of` are the ids of the nodes that made it; `is_drawn` tells words of the lexicon from others."""

    text: str
    of: frozenset[int]
    is_drawn: bool
    glued: bool


@dataclass(frozen=True)
class Writer:
    """Writes derivations in one language: 0 is the source's side of each node, 1 the target's."""

    language: Inflection
    side: int
    _texts: dict[tuple[object, Features], str] = field(default_factory=dict)

    def tokens(self, node: Node) -> list[Token]:
        """The words of a sentence, small at its beginning; NoForm if a word lacks a form that is asked for."""
        found: list[Token] = []
        for token in self._node(node, 0, frozenset(), frozenset()):
            for number, word in enumerate(token.text.split()):
                self._add(found, Token(word, token.of, token.is_drawn, token.glued and not number))
        return found  # the last two words stay as they are: "Yes, I am."

    def text(self, tokens: list[Token], *, capital: bool = True) -> str:
        """The sentence; its first letter is a capital."""
        between = " " if self.language.spaced else ""
        text = "".join(token.text if token.glued else between + token.text for token in tokens).strip()
        text = _OPENED.sub(r"\1", text)
        return _NO_CASE_YET.sub(lambda match: match[1] + match[2] + match[3].upper(), text) if capital else text

    def _add(self, found: list[Token], token: Token) -> None:
        """Put a word behind the others. Words before it are joined, and those that stay two, with it too."""
        if not token.glued:
            while len(found) > 1 and not found[-1].glued and self._join(found):
                pass
        found.append(token)
        if len(found) > 1 and not token.glued:
            words = self.language.joined(found[-2].text, token.text)
            if words is not None and len(words) > 1:
                found[-2:] = [each._replace(text=word) for each, word in zip(found[-2:], words, strict=True)]

    def _join(self, found: list[Token]) -> bool:
        """Make one word of the last two, if the language does."""
        left, right = found[-2:]
        words = self.language.joined(left.text, right.text)
        if words is None or len(words) > 1:
            return False
        found[-2:] = [Token(words[0], left.of | right.of, left.is_drawn or right.is_drawn, left.glued)]
        return True

    def _node(self, node: Node, part: int, request: Features, agrees: Features) -> Iterator[Token]:
        """The words of a node. `request` are features asked for from outside, `agrees` what it agrees with there."""
        if node.entry:
            wanted = self._wanted(agrees, node.said[self.side], request)
            yield Token(self._word(node.entry, wanted), frozenset((id(node),)), True, False)
            return
        assert node.pattern
        head = node.pattern.head
        parts = node.pattern.texts[self.side]
        for item in parts[part] if part < len(parts) else ():
            if isinstance(item, Literal):
                if PARTICLE not in request:
                    yield Token(item.text, frozenset((id(node),)), False, item.glued)
                continue
            asked = self.language.merged(request, item.asked)
            if item.copied:
                copied = [features(node.slots[slot].attribute(key)) for slot, key in item.copied]
                asked = self.language.merged(asked, *copied)
            with_ = item.agrees or (head if item.name != head else "")
            said = node.slots[with_].said[self.side] if with_ in node.slots else agrees
            words = self._mentioned(node, item, asked, said)
            for number, token in enumerate(words):
                yield token._replace(glued=item.glued) if not number else token

    def _mentioned(self, node: Node, item: Mention, asked: Features, said: Features) -> Iterator[Token]:
        child = node.slots.get(item.name)
        if child is None:
            if PARTICLE not in asked:
                text = self._by_name(item.name, self._wanted(said, frozenset(), asked))
                yield Token(text, frozenset((id(node),)), False, False)
        elif child.entry is None or PARTICLE not in asked or child.entry.pos == "verb":
            yield from self._node(child, item.part, asked, said)

    def _wanted(self, agrees: Features, own: Features, asked: Features) -> Features:
        """What a form has to be."""
        return self.language.merged(self.language.default, agrees, own, asked)

    def _by_name(self, name: str, wanted: Features) -> str:
        """A word of the tables by its lemma."""
        if (name, wanted) not in self._texts:
            pos = "word" if self.language.has("word", name) else "verb"
            self._texts[name, wanted] = self.language.form(pos, {"lemma": name}, frozenset(), wanted)
        return self._texts[name, wanted]

    def _word(self, entry: Entry, wanted: Features) -> str:
        if (entry, wanted) not in self._texts:
            self._texts[entry, wanted] = self._spelled(entry, wanted)
        return self._texts[entry, wanted]

    def _spelled(self, entry: Entry, wanted: Features) -> str:
        side = entry.sides[self.side]
        if PARTICLE in wanted:
            return side.particle or side.before
        for key in wanted & entry.attributes.keys():
            value = entry.attributes[key]
            known = any(self.language.has(pos, value) for pos in ("word", "verb"))
            return self._by_name(value, wanted) if known else value
        tags = entry.tags | {PARTICLE} if side.particle else entry.tags
        form = self.language.form(entry.pos, side.parts, tags, wanted - {PARTICLE})
        if wanted & self.language.alone:
            return form
        particle = "" if BARE in wanted else side.particle
        before = "" if BARE in wanted else side.before
        if self.language.verb_last:
            return f"{before} {particle}{form}".strip()
        return " ".join(filter(None, (form, particle, side.after)))
