"""The fields of a checkpoint's card with their types: a type, a list of one, or an object with at least these keys."""

from typing import Any

_OUTPUT = {"source": str, "reference": str, "output": str}
# the fields that every card must have, with their types; pages rely on them
CARD = {"task": str, "parameters": {"total": int}}
# more required fields of a model that was trained here
TRAINED = {
    "command": str,  # trains it again; empty for a run of the train page
    "data": [{"name": str, "pairs": int, "licence": str}],
    "scores": dict,
    "training": {"steps": int, "seed": int, "minutes": float},
}
SHARES = ("exact", "accuracy", "most_frequent", "possible")  # scores that are shares
UNKNOWN_LICENCE = "unknown"  # of an imported model, where the original names none
# or of one that was imported: the family that transformers gives it, where it is from, and its licence
IMPORTED = {"imported": {"family": str, "source": str, "revision": str, "licence": str}}
# more required fields of a model that reads text
READS = {
    "examples": [str],
    "example_translation": str,
    "first_look": {"attention_kind": str, "layer": int, "head": int},
    "covers": [{"topic": str, "examples": [str]}],
}
# optional fields of a card
MAY = {
    "source_language": str,
    "target_language": str,
    "languages": dict,  # of a model that is told which language to read and to write: name -> id
    "told": [str],  # the two that it is told
    "language_examples": dict,  # name -> sentences
    "checked": {
        "version": str,
        "difference": float,
        "sentences": int,
        "otherwise": [str],
    },  # an import, against transformers
    "variant_of": str,  # the checkpoint that it differs from in one choice
    "splits": dict,  # name of a split -> its number of cases
    # of each method of attribution, the mean and its 95 % interval over output words (`trust.over_sentences`)
    "attribution": {"words": int, "correlation": dict, "first": dict, "area": dict},
    # share of ordinary sentences that come out right, with its interval, and how well doubtful outputs are marked
    "ordinary": {"sentences": {"test": int}, "right": [float], "words": int, "word_list": int},
    "outputs": {"right": [_OUTPUT], "wrong": [_OUTPUT]},  # held out, the first of each
}


def unfit(card: dict[str, Any], reads_text: bool) -> str | None:
    """The first field that is missing or of the wrong type; None if all are right."""
    fields = CARD | (IMPORTED if "imported" in card else TRAINED) | (READS if reads_text else {})
    for key, kind in (fields | MAY).items():
        valid = _fits(card[key], kind) if key in card else key in MAY
        if not valid or (key == "examples" and not card[key]):
            return key
    return None


def _fits(value: object, kind: Any) -> bool:
    """Whether a JSON value has a kind: a type, a list of a kind, or an object with at least these keys."""
    if isinstance(kind, list):
        return isinstance(value, list) and all(_fits(item, kind[0]) for item in value)
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(_fits(value.get(key), inner) for key, inner in kind.items())
    return isinstance(value, (int, float) if kind is float else kind)
