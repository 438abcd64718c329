"""German verb forms; persons are counted 0-5: ich, du, er/sie/es, wir, ihr, sie/Sie."""

import re

from corpora.german.lexicon import VERB, Verb
from corpora.german.phrases import lists

IRREGULAR = lists("conjugation.irregular")


def stem(infinitive: str) -> str:
    """The infinitive without -en or -n."""
    return infinitive[:-2] if infinitive.endswith("en") else infinitive[:-1]


def needs_e(root: str) -> bool:
    """Whether an -e- eases the ending: du arbeitest, sie öffnet, but du lernst."""
    return bool(re.search(r"([td]|[^aeiouäöülrhmn]n|[^aeiouäöülrhm]m)$", root))


def present(verb: Verb | str, person: int) -> str:
    """The finite form, without a separable prefix: (aufstehen, 2) -> steht."""
    infinitive = verb if isinstance(verb, str) else verb.infinitive
    if infinitive in IRREGULAR:
        return IRREGULAR[infinitive][person]
    root, er_form = stem(infinitive), "" if isinstance(verb, str) else verb.er
    if person == 0:
        return root[:-2] + root[-1] + "e" if infinitive.endswith("eln") else root + "e"
    if person in (3, 5):
        return infinitive
    if person in (1, 2) and er_form:
        if person == 2:
            return er_form
        base = er_form[:-1] if er_form.endswith("t") else er_form
        return base + ("t" if base[-1] in "sßzx" else "st")
    link = "e" if needs_e(root) else ""
    if person == 1:
        return root + ("t" if root[-1] in "sßzx" else link + "st")
    return root + link + "t"


def imperative(verb: Verb) -> str:
    """Imperative for `du`: komm, nimm, warte."""
    root = stem(verb.infinitive)
    if verb.er and not re.search("[äö]|au|äu", verb.er):
        return verb.er[:-1] if verb.er.endswith("t") else verb.er
    return root + "e" if needs_e(root) else root


def infinitive(verb: Verb) -> str:
    """The infinitive with its prefix: aufstehen."""
    return verb.prefix + verb.infinitive


def by_name(name: str) -> Verb:
    """A verb of the lexicon by its infinitive."""
    return VERB[name]
