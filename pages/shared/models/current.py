"""The models that can be chosen, and the one in view."""

from model.checkpoint import catalogue
from model.checkpoint.user_models import OWN
from pages.shared.models import own as own_models
from pages.shared.session.view import refuse, view


def models() -> dict[str, catalogue.Entry]:
    """Everything that can be chosen: the checkpoints, the user's own, and every preset untrained."""
    return catalogue.sentence_models() | own_models.mine() | catalogue.untrained(view().seed or 0)


def entry() -> catalogue.Entry | None:
    """The checkpoint in view; an unknown one falls back to the default, and says so."""
    known = models()
    if not known:
        return None
    default = catalogue.default(known)
    asked = view().checkpoint
    if asked is not None and asked not in known:
        notice = "notice.own_checkpoint" if asked.startswith(OWN) else "notice.checkpoint"
        refuse(notice, "checkpoint", value=asked, used=default.name)
    return known.get(view().checkpoint or "", default)
