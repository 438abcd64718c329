"""What is wrong with a grammar, found by drawing from it: ambiguous, never used, without a form, too rare."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpora.grammar import Grammar, Sentence
from corpora.grammar.drawing import DeadEnd, Node
from corpora.grammar.inflection import NoForm
from corpora.grammar.patterns import Group, Mention
from corpora.grammar.words import BARE, PARTICLE, Entry

ENOUGH, OF = 50, 240_000  # sentences that hold a word of the inventory, of so many
PATTERNS = 3  # in which a word of the inventory stands
_CHANCE = 10  # dead ends of a pattern that say nothing
_SHOWN = 30  # of each kind


@dataclass
class Report:
    """Findings by kind, and how often words, patterns and words of texts came up."""

    draws: int = 0
    targets: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))  # source: target: line
    lacking: Counter[str] = field(default_factory=Counter)  # forms
    dead: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  # line: slot
    words: defaultdict[Entry, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lines: Counter[str] = field(default_factory=Counter)
    spelled: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def draw(grammar: Grammar, draws: int, seed: int = 0) -> Report:
    """Draw so many sentences, and note what came up and what failed."""
    rng, report = random.Random(seed), Report(draws)
    shares = [group.share for group in grammar.groups]
    for group in rng.choices(grammar.groups, shares, k=draws):
        [pattern] = rng.choices(group.patterns, cum_weights=group.sums)
        try:
            _note(report, grammar.write(grammar.drawing.pattern(pattern, rng)))
        except DeadEnd as dead:
            report.dead[pattern.line][str(dead)] += 1
        except NoForm as lack:
            report.lacking[f"{lack} in: {pattern.line}"] += 1
    return report


def _note(report: Report, sentence: Sentence) -> None:
    source, target = sentence.pair
    assert sentence.node.pattern
    line = sentence.node.pattern.line
    report.targets[source].setdefault(target, line)
    for node in _nodes(sentence.node):
        if node.entry:
            report.words[node.entry][line] += 1
        elif node.pattern:
            report.lines[node.pattern.line] += 1
    for token in sentence.tokens[0]:
        report.spelled[token.text.lower()][line] += 1


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.slots.values():
        yield from _nodes(child)


def problems(grammar: Grammar, report: Report) -> Iterator[tuple[str, list[str]]]:
    """Each kind of finding, with its cases; kinds without a case are left out."""
    ambiguous = {source: each for source, each in report.targets.items() if len(each) > 1}
    found = {
        "sources with more than one translation": [
            f"{source}  →  {'  |  '.join(f'{target}  [{line}]' for target, line in each.items())}"
            for source, each in ambiguous.items()
        ],
        "features that neither language has": list(_unknown(grammar)),
        "forms that are lacking": [f"{count} × {text}" for text, count in report.lacking.most_common()],
        "patterns that mostly find no word": [
            f"{slots.total()} times, mostly for {slots.most_common(1)[0][0]}, in: {line}"
            for line, slots in report.dead.items()
            if slots.total() > max(_CHANCE, report.lines[line])
        ],
        "words that were never drawn": [entry.row for entry in grammar.words if entry not in report.words],
        "patterns that were never used": [
            line for line in dict.fromkeys(each.line for each in grammar.patterns) if not report.lines[line]
        ],
        "words of the inventory that are too rare": list(_rare(grammar, report)),
    }
    for kind, cases in found.items():
        if cases:
            yield f"{len(cases)} {kind}", cases[:_SHOWN]


def _unknown(grammar: Grammar) -> Iterator[str]:
    """Features in patterns that no table, tag or attribute knows: mostly slips of the pen."""
    attributes = {key for word in grammar.words for key in word.attributes}
    attributes |= {key for pattern in grammar.patterns for key in pattern.attributes}
    for side, language in enumerate(grammar.languages):
        known = language.features | attributes | {PARTICLE, BARE}
        for pattern in grammar.patterns:
            asked = (item for part in pattern.texts[side] for item in part if isinstance(item, Mention))
            if wrong := sorted(frozenset().union(*(item.asked for item in asked)) - known):
                yield f"{language.code}: {' '.join(wrong)} in: {pattern.line}"


def _rare(grammar: Grammar, report: Report) -> Iterator[str]:
    by_lemma: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry, lines in report.words.items():
        by_lemma[_plain(entry.sides[0].text, grammar)].update(lines)
    for level, word in grammar.inventory():
        lemma = _plain(word, grammar)
        if grammar.languages[0].spaced:
            found = by_lemma.get(lemma) or by_lemma.get(lemma.removeprefix("sich ")) or report.spelled[lemma.lower()]
        else:
            found = Counter(
                line for source, each in report.targets.items() if lemma in source for line in each.values()
            )
        count = round(found.total() * OF / report.draws)
        if count < ENOUGH or len(found) < PATTERNS:
            yield f"{level} {word}: {count} sentences of {OF:,}, {len(found)} patterns"


def _plain(word: str, grammar: Grammar) -> str:
    """A word without its article, the mark of its particle and what is said of it in brackets."""
    first, _, rest = word.replace("|", "").partition(" (")[0].partition(" ")
    return rest if rest and first in grammar.languages[0].articles else first + (f" {rest}" if rest else "")


def samples(grammar: Grammar, what: str, count: int, seed: int = 0) -> list[Sentence]:
    """Sentences of a topic, or of each pattern whose line has this text; ValueError if there is none."""
    rng = random.Random(seed)
    chosen = [group for group in grammar.groups if group.name == what]
    if not chosen:
        chosen = [
            Group(group.kind, group.name, group.share, fitting)
            for group in grammar.groups
            if (fitting := tuple(pattern for pattern in group.patterns if what in pattern.line))
        ]
    if not chosen:
        raise ValueError(f"no topic is called {what!r}, and no pattern of a topic holds it")
    return [grammar.draw(rng.choice(chosen), rng) for _ in range(count)]
