"""Which two models: the second one, a moment of either, changes to the second; and what each writes."""

from __future__ import annotations

import streamlit as st

from corpora import task_list
from model.checkpoint import catalogue
from model.checkpoint.user_models import OWN
from model.edit import notation
from pages.compare.pair import Pair, Side, listed, moments, shared, unreadable
from pages.shared.changes import in_link
from pages.shared.changes.wording import described
from pages.shared.links import END, START
from pages.shared.models import current, models, own_models, titles, warmup
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import address, view
from pages.shared.session.language_choice import tags_of
from pages.shared.text import notices
from pages.shared.text.words import section, sentences, words
from pages.shared.ui import controls, show
from viz.html.outputs import Output, outputs_html


def choose(current_run: CurrentRun) -> Pair:
    """Draw the controls for both sides, and give them."""
    entries = others()
    first, second = st.columns(2, gap="medium")
    with first:
        show.subheader(words("compare.first", name=notices.plain(title(current_run.entry))))
        show.caption(words("compare.first_hint"))
    with second:
        other = entries[_other(entries, current_run.entry)]
    text = _changes(other, current_run)
    first, second = st.columns(2, gap="medium")  # a row of their own: the one above is not equally high on both sides
    with first:
        moment = _moment("moment", "A", current_run.entry, END)
    with second:
        itself = other.name == current_run.entry.name and not text
        other_moment = _moment("other_moment", "B", other, START if itself else END)
        _changed(other, current_run, text)
    with warmup.spinner():
        a = _side(current_run.entry, moment, "", "A", current_run)
        b = _side(other, other_moment, text, "B", current_run)
        return Pair(a, b, shared(a, b))


def others() -> dict[str, catalogue.Entry]:
    """Models that can stand on the other side: every sound one, those that read numbers too."""
    entries = catalogue.entries() | current.models()
    return {
        name: entry for name, entry in entries.items() if entry.is_sound() or isinstance(entry, catalogue.Untrained)
    }


def title(entry: catalogue.Entry) -> str:
    """A model as it stands in the list."""
    if isinstance(entry, catalogue.Untrained):
        return words("frame.untrained", name=words(f"presets.{entry.preset}"))
    name = titles.title(entry.name, entry)
    return words("frame.yours", title=name) if own_models.is_own(entry.name) else name


def name_of(entry: catalogue.Entry) -> str:
    """A model in few words."""
    return title(entry) if isinstance(entry, catalogue.Untrained) else entry.name


def _other(entries: dict[str, catalogue.Entry], entry: catalogue.Entry) -> str:
    value = view.setting("other")
    usual = default(entries, entry)
    if value is not None and value not in entries:
        own = "notice.own_checkpoint" if value.startswith(OWN) else "notice.checkpoint"
        notice = "recording.beside" if value in current.choices() else own
        view.forget("other")
        notices.say("warning", words(notice, value=value[:40], used=usual))
    return controls.select(
        "other", words("compare.other"), {name: title(model) for name, model in entries.items()}, usual
    )


def default(entries: dict[str, catalogue.Entry], entry: catalogue.Entry) -> str:
    """Name the most instructive partner: a variant, the trained model of the tokenizer, or itself before training."""
    if isinstance(entry, catalogue.Untrained):
        return entry.folder.name if entry.folder.name in entries else entry.name
    original = entry.card.get("variant_of")
    if original in entries:
        return original
    variants = (name for name, other in entries.items() if other.card.get("variant_of") == entry.name)
    return next(variants, entry.name)


def _moment(key: str, letter: str, entry: catalogue.Entry, default: str) -> str:
    """The control for a moment, where there is more than one."""
    steps, label = moments(entry), words("compare.moment", side=letter)
    if len(steps) == 1:
        if view.setting(key) is not None:  # said as of any other setting, without a control
            return controls.named(key, label, steps, END)
        return END
    texts = {step: words("compare.step", step=f"{int(step):,}") for step in steps if step not in (START, END)}
    ends = {START: words("compare.start"), END: words("compare.end")}
    return controls.select(key, label, {step: (texts | ends)[step] for step in steps}, default)


# changes


def _changes(entry: catalogue.Entry, current_run: CurrentRun) -> str:
    """The changes that the link asks for and this model has a place for, those switched on."""
    changes = in_link.sound(entry, current_run.sentence, "other_changes") if entry.reads_text else ()
    return notation.spell(change for change in changes if change.on)


def _changed(entry: catalogue.Entry, current_run: CurrentRun, text: str) -> None:
    """The changes in words, and the way to the page where they are made."""
    if not text:
        return
    run = models.run(entry, current_run.sentence)
    state = in_link.EditState(CurrentRun(entry, current_run.sentence), run, (), ())
    for change in listed(text):
        show.text(words("compare.change", change=described(state, change)))
    with st.container(horizontal=True, key="changed"):
        if st.button(words("compare.edit"), key="edit"):
            address.open_page("intervene", checkpoint=entry.name, changes=text)
        without = {"other_changes": None}
        st.button(words("compare.unchanged"), key="unchanged", on_click=view.choose, kwargs=without)


def _side(entry: catalogue.Entry, moment: str, changes: str, letter: str, current_run: CurrentRun) -> Side:
    name = f"{letter} · {name_of(entry)}"
    if moment != END:
        name += f" · {words('compare.start') if moment == START else words('compare.step', step=f'{int(moment):,}')}"
    if changes:
        name += f" · {words('compare.with_changes')}"
    if not entry.reads_text:
        problem = words("compare.numbers", name=entry.name)
    else:
        problem = unreadable(entry, moment, changes, current_run.sentence)
    return Side(entry, moment, changes, name, current_run.sentence, problem)


# outputs


def outputs(pair: Pair) -> None:
    """Draw both outputs, differences marked, and how the models read the sentence differently."""
    texts = section("compare_outputs")
    if any(side.problem for side in pair.sides):
        show.table(outputs_html(_output(pair, pair.a, ""), _output(pair, pair.b, ""), texts))
        return
    if does := _task(pair):
        show.caption(does)
    a, b = (_tokens(pair, side) for side in pair.sides)
    verdict = words("compare_outputs.same") if a and a == b else ""
    if pair.same:
        verdict = words("compare_outputs.itself")
    show.table(outputs_html(_output(pair, pair.a, ""), _output(pair, pair.b, verdict), texts))
    for line in _apart(pair):
        show.caption(line)


def _task(pair: Pair) -> str:
    """What both models do, where that is the same and its right answer is known."""
    tasks = {side.entry.card.get("task") for side in pair.sides}
    return titles.does(pair.a.entry.card) if len(tasks) == 1 and _right_answer(pair.a) is not None else ""


def _right_answer(side: Side) -> str | None:
    """What a model should write for the sentence, where a rule says so."""
    return task_list.right_answer(side.entry.card.get("task", ""), side.sentence)


def _judged(side: Side) -> str:
    """Whether what a model writes is right, and what would be."""
    answer, output = _right_answer(side), side.generated()
    if answer is None:
        return ""
    given = models.tokenizer(side.entry).decode(output.ids[output.first :])
    return words("compare_outputs.right") if given == answer else words("compare_outputs.wrong", answer=answer)


def _tokens(pair: Pair, side: Side) -> tuple[str, ...]:
    """The words written: tokens where both have the same ones, else what stands between spaces."""
    output = side.generated()
    if side.entry.config.architecture == "encoder":
        return tuple(output.text.split())
    begins = side.entry.config.architecture != "decoder"
    names = models.tokenizer(side.entry).tokens(output.ids[output.first :], begins=begins)
    return names if pair.shared else tuple(output.text.split())


def _output(pair: Pair, side: Side, note: str) -> Output:
    if side.problem:
        return Output(side.name, (), frozenset(), side.problem)
    tokens = _tokens(pair, side)
    notes, architecture = [note], side.entry.config.architecture
    if not tokens:
        kind = "labels" if side.entry.config.labels else "encoder" if architecture == "encoder" else "nothing"
        notes.append(words(f"compare_outputs.{kind}"))
    elif not side.generated().ended and architecture != "decoder":  # which stops after so many tokens by design
        notes.append(words("compare_outputs.stopped"))
    spoken = tags_of(side.entry.card)["target"]
    return Output(side.name, tokens, frozenset(), sentences(_judged(side), *notes, _unseen(side)), spoken)


def _unseen(side: Side) -> str:
    """Say what the second model never saw of the sentence; of the first one the page has said it already."""
    if side.name.startswith("A") or isinstance(side.entry, catalogue.Untrained):
        return ""
    run = side.run()
    if run.unknown_characters:
        return words("notice.characters", characters=notices.characters(run.unknown_characters))
    if run.unseen_words:
        return words("compare_outputs.unseen", words=notices.listed(list(run.unseen_words)))
    return ""


def _apart(pair: Pair) -> list[str]:
    """Why the two cannot be given the same words, where that is so."""
    if pair.shared:
        return []
    kinds = [side.entry.config.architecture for side in pair.sides]
    if kinds[0] != kinds[1]:
        a, b = (words(f"compare_architecture.{kind}") for kind in kinds)
        return [words("compare.architectures", a=a, b=b)]
    return [words("compare.tokenizers")]
