"""`python -m corpora check de`: what is wrong with a grammar. `python -m corpora show de going`: what it makes.

`python -m corpora swap de`: what becomes of phrases with other words.
"""

import argparse
import random
import sys
from itertools import islice

from corpora import phrasebook
from corpora.grammar import check, known, load
from corpora.swaps import Swaps


def main() -> int:
    """Return 1 if the grammar has problems."""
    languages = known()
    parser = argparse.ArgumentParser(prog="python -m corpora", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    checked = commands.add_parser("check", help="say what is ambiguous, never used, without a form, or too rare")
    checked.add_argument("language", choices=languages)
    checked.add_argument("--draws", type=int, default=200_000, help="sentences that are drawn (%(default)s)")
    shown = commands.add_parser("show", help="show sentences of a topic, or of patterns that hold a text")
    shown.add_argument("language", choices=languages)
    shown.add_argument("what", help="a topic, or part of the line of a pattern")
    swapped = commands.add_parser("swap", help="show phrases with other words that could stand there")
    swapped.add_argument("language", choices=languages)
    for command in (shown, swapped):
        command.add_argument("--count", type=int, default=20)
        command.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        grammar = load(options.language)
        if options.command == "show":
            for sentence in check.samples(grammar, options.what, options.count, options.seed):
                print(f"{sentence.pair.source}  =  {sentence.pair.target}")
            return 0
        if options.command == "swap":
            swaps, rng = Swaps(grammar), random.Random(options.seed)
            phrases = [phrase for book in phrasebook.read_all(options.language) for phrase in book.plain]
            rng.shuffle(phrases)
            made = ((phrase, other) for phrase in phrases if (other := swaps.swapped(phrase, rng)))
            for phrase, other in islice(made, options.count):
                print(f"{phrase.source}  >  {other.source}  =  {other.target}")
            return 0
        found = list(check.problems(grammar, check.draw(grammar, options.draws)))
    except ValueError as problem:
        sys.exit(str(problem))
    count = len(grammar.words), sum(1 for _ in grammar.patterns), len(grammar.groups)
    print(f"{count[0]} words, {count[1]} patterns, {count[2]} topics")
    for kind, cases in found:
        print(f"\n{kind}:", *cases, sep="\n  ")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
