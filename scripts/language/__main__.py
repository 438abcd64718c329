"""Commands for whoever translates the app: `python -m scripts.language new|check|show CODE`."""

import argparse
import re
import sys

from scripts.language import checks, files
from scripts.language.english import ROOT
from viz.languages import further_trees, languages


def main() -> int:
    """Run a command; 1 if a check finds an error."""
    parser = argparse.ArgumentParser(prog="python -m scripts.language", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in {
        "new": "make CODE.toml beside each en.toml: every text in English and an empty one; again: add what is new",
        "check": "say what is missing or wrong, and what may be; an error ends with 1",
        "show": "take a picture of every page in the language, wide and on a phone, into build/languages/CODE",
    }.items():
        command = commands.add_parser(name, help=about)
        command.add_argument("code", type=_code, help="two or three letters, as in ISO 639: es, fr, uk")
        if name == "check":
            command.add_argument("--missing", action="store_true", help="name each missing text too")
        if name == "show":
            command.add_argument("pages", nargs="*", help="addresses, such as why or masks?show=loss; all pages")
    told = parser.parse_args()
    try:
        known = languages()
    except ValueError as error:
        print(error)
        return 1
    if told.command == "new":
        tree = known[told.code].file.parents[2] if told.code in known else [*further_trees(), ROOT][0]
        print(files.write(told.code, tree))
        return 0
    if told.code not in known:
        print(f"There is no language {told.code}: python -m scripts.language new {told.code} begins it.")
        return 1
    if told.command == "show":
        from scripts.language import pictures  # which needs what the tests need

        print(pictures.take(told.code, told.pages))
        return 0
    report = checks.check(told.code, told.missing)
    print(report.text())
    return 1 if report.errors else 0


def _code(text: str) -> str:
    if not re.fullmatch("[a-z]{2,3}", text):
        raise argparse.ArgumentTypeError("a code has two or three small letters")
    return text


if __name__ == "__main__":
    sys.exit(main())
