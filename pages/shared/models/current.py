"""The models that can be chosen, and the one in view."""

from model.checkpoint import catalogue, first_models
from model.checkpoint.recording import Recording
from model.checkpoint.user_models import OWN
from pages.shared.models import own_models
from pages.shared.session.view import language, refuse, set_choices, view


def models() -> dict[str, catalogue.Entry]:
    """Every model that can compute: the checkpoints, the user's own, and every preset untrained."""
    return {name: entry for name, entry in choices().items() if not isinstance(entry, Recording)}


def choices() -> dict[str, catalogue.Entry]:
    """Everything that can be chosen: the models, and the user's own recordings."""
    found = catalogue.sentence_models() | own_models.mine() | untrained(view().seed or 0)
    return found | catalogue.in_languages(view().checkpoint or "", found)


def untrained(seed: int) -> dict[str, catalogue.Entry]:
    """Every preset with the random weights of `seed`, and with a tokenizer for the sentence in view."""
    return catalogue.untrained(seed, _to_read())


def entry() -> catalogue.Entry | None:
    """The checkpoint in view; an unknown one falls back to the default, and says so."""
    entries = choices()
    if not entries:
        return None
    default = catalogue.default(entries)
    name = view().checkpoint
    if name is not None and name not in entries:
        notice = "notice.own_checkpoint" if name.startswith(OWN) else "notice.checkpoint"
        used = first(entries)
        refuse(notice, "checkpoint", value=name, used=used.name)
        if used is not default:
            set_choices({"checkpoint": used.name})
    return entries.get(view().checkpoint or "", default)


def first(entries: dict[str, catalogue.Entry]) -> catalogue.Entry:
    """The one of some models to offer to this user first: that which reads their language, if it is among them."""
    return catalogue.default(entries, language())


def first_name() -> str | None:
    """The name of the trained model to lead this user to; None where it is the one that no name means."""
    candidates = catalogue.sentence_models()
    return first(candidates).name if candidates and first(candidates) is not catalogue.default(candidates) else None


def _to_read() -> str:
    """The language that an untrained model reads: that of the sentence in view, else the user's.

    A link with a sentence therefore means the same model to every user.
    """
    sentence = view().sentence
    return language() if sentence is None else first_models.language_of(sentence)
