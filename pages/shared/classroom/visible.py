"""Pages, models and controls that a teacher lets students see. The choice comes with a link or the class.

That of a class may name a live page, too, on which its students are to be.

In a link it is `visible=pages:attention,masks;models:de-en;hide:tour`. It tidies up what a class looks at and protects
nothing: an address that somebody types still opens its page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pages.shared.classroom import my_class
from pages.shared.session import view

# what can be hidden, and the keys of the elements that then are
HIDEABLE = {
    "model": (".st-key-checkpoint", ".st-key-seed"),
    "sentence": (".st-key-sentence",),
    "head": (".st-key-attention_kind", ".st-key-layer", ".st-key-head"),
    "tabs": (".st-key-show", ".st-key-view"),
    "tour": (".st-key-tour_start",),
    "try": (".st-key-try_this",),
    "files": ('[class*="st-key-export"]',),
}
PICTURES = ("model", "sentence", "head", "tour", "try")  # hidden, too, where figures are pictures
_TASKS = (".st-key-examples", ".st-key-course_do")  # sentences to choose from, what to do with a figure
# what changes a figure: hidden from those who see figures as pictures
_KINDS = (
    "stButton", "stButtonGroup", "stCheckbox", "stFileUploader", "stMultiSelect", "stNumberInput", "stPopover",
    "stRadio", "stSelectbox", "stSlider", "stTextArea", "stTextInput",
)  # fmt: skip
# what leads to another part of the lesson, shows a text, or takes an answer: it stays
_STAYS = ("show", "view", "card_ways", "fair_go_on")
_STAYS_IN_COURSE = ("step", "ways", "open_steps", "question", "explanation")
_WITHOUT_CONTROLS_OF_FIGURES = ("class", "quiz", "glossary")  # pages whose controls all do that


def _controls(page: str) -> str:
    """The controls, and the elements that hold them, which would leave a gap."""
    kinds = ", ".join(f"[data-testid={kind}]" for kind in _KINDS)
    stays = ", ".join(
        f".st-key-{key}, .st-key-{key} *" for key in (*_STAYS, *(_STAYS_IN_COURSE if page == "course" else ()))
    )
    return f"[data-testid=stMain] :is({kinds}, [data-testid=stElementContainer]:has(> :is({kinds}))):not({stays})"


@dataclass(frozen=True)
class Visible:
    """Pages and models by name, all of them where none is named; and what of `HIDEABLE` is hidden.

    `live` names the model of the live page where students' own devices run the model.

    `pictures` names the page whose controls of figures are hidden: see `my_class.sees_pictures`.
    """

    pages: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    live: str = ""
    pictures: str = ""

    def rule(self) -> str:
        """CSS that hides the controls."""
        names = dict.fromkeys((*self.hide, *(PICTURES if self.pictures else ())))
        selectors = [selector for name in names for selector in HIDEABLE.get(name, ())]
        selectors += [_controls(self.pictures), *_TASKS] if self.pictures else []
        return f"{', '.join(selectors)} {{ display: none !important; }}" if selectors else ""

    def spelled(self) -> str:
        """As a link has it; "" where everything is visible."""
        live = (self.live,) if self.live else ()
        parts = {"pages": self.pages, "models": self.models, "hide": self.hide, "live": live}
        return ";".join(f"{name}:{','.join(names)}" for name, names in parts.items() if names)


def read(text: str) -> Visible:
    """Read the choice from a link; parts and names that we do not know are left out."""
    values_of: dict[str, tuple[str, ...]] = {}
    for part in text.split(";"):
        name, _, values = part.partition(":")
        if name in ("pages", "models", "hide", "live"):
            values_of[name] = tuple(value for value in values.split(",") if value)
    hide = tuple(name for name in values_of.get("hide", ()) if name in HIDEABLE)
    live = next(iter(values_of.get("live", ())), "")
    return Visible(values_of.get("pages", ()), values_of.get("models", ()), hide, live)


def current() -> Visible:
    """For a student what the class says; else what the link says."""
    me = my_class.membership()
    if me is not None and not me.teacher and not me.ended and me.choice:
        chosen = read(me.choice)
    else:
        chosen = read(view.view().visible or "")
    page = view.view().page
    has_controls = my_class.sees_pictures() and page not in _WITHOUT_CONTROLS_OF_FIGURES
    return replace(chosen, pictures=page if has_controls else "")
