"""`python -m corpora check de`: what is wrong with a grammar. `python -m corpora show de going`: what it makes."""

import argparse
import sys

from corpora.grammar import check, known, load


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
    shown.add_argument("--count", type=int, default=20)
    shown.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        grammar = load(options.language)
        if options.command == "show":
            for sentence in check.samples(grammar, options.what, options.count, options.seed):
                print(f"{sentence.pair.source}  =  {sentence.pair.target}")
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
