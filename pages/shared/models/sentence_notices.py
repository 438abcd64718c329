"""Notices about a sentence and its model (unseen words, other language, no proper end), with buttons to go on."""

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.language_fit import Misfit
from model.checkpoint.recording import Recording
from model.decode import doubt
from model.decode.translated_numbers import lost_numbers, new_numbers
from model.errors import InvalidInput
from model.measurements import ordinary
from model.tokenization.tokenizer import SPECIALS, UNK, is_chinese
from pages.shared.classroom import my_class
from pages.shared.models import current, model_fit, models
from pages.shared.session import address, script_run, view
from pages.shared.text.misfits import HELLO, reason
from pages.shared.text.notices import characters, listed, plain, quoted, say
from pages.shared.text.words import name, section, words
from viz.numbers import percent

REASONS, NAMED = 2, 2  # that the mark of a doubtful output gives, and words of each that it names
WORKS = "notice.try"  # says of the examples below that they are sentences that work


def about(run, entry: catalogue.Entry, *, marks: bool = True) -> None:
    """Words and characters that the model never saw, and a translation that may be wrong or did not end by itself.

    Without `marks` the page marks doubtful outputs itself, by `mark`.
    """
    if isinstance(entry, catalogue.Untrained):  # it saw nothing, and rarely ends
        return
    misfit = model_fit.misfit(entry, run.sentence)
    if misfit and misfit.simplified:
        _respelled(misfit, "simplify", misfit.simplified, entry)
    elif misfit and misfit.capitals:
        _respelled(misfit, "capitalize", misfit.capitals, entry)
    elif misfit:
        _misfit(misfit, entry, run.sentence)
    else:
        _unseen(run, entry)
        _numbers(run, entry)
        _spaces(run.sentence, entry)
        if marks:
            mark(run, entry)
    is_complete = run.stop == "eos" or (run.stop == "length" and entry.config.architecture == "decoder")  # by design
    if not is_complete:
        say(
            "warning",
            words(f"notice.stop_{run.stop}", limit=models.longest_sentence(entry)),
        )
    if misfit or run.unseen_words or run.unknown_characters or not is_complete:
        examples(entry)


def _respelled(misfit: Misfit, key: str, sentence: str, entry: catalogue.Entry) -> None:
    """Note that the model knows the words in another spelling, and offer the sentence in it."""
    _say_reason(misfit, entry)
    st.button(words(f"notice.{key}", sentence=plain(sentence)), key=key, on_click=_say_again, args=(sentence,))


def _say_reason(misfit: Misfit, entry: catalogue.Entry) -> None:
    say("warning", reason(misfit, entry.card.get("source_language", ""), entry.card.get("target_language", "")))


def _numbers(run, entry: catalogue.Entry) -> None:
    """Numbers of the sentence that the translation lost, or else those that are its own."""
    card = entry.card
    if (card.get("task"), card.get("target_language")) != ("translation", "en"):
        return
    translation = run.sentence, run.text, card.get("source_language", "")
    if lost := lost_numbers(*translation):
        say("warning", words("notice.numbers", numbers=listed(list(map(quoted, lost)))))
    elif new := new_numbers(*translation):
        say("warning", words("notice.new_numbers", numbers=listed(list(map(quoted, new)))))


def _spaces(sentence: str, entry: catalogue.Entry) -> None:
    """A space in what one of our models of a task reads, if its examples have none."""
    card = entry.card
    is_task = "imported" not in card and card.get("task") not in (None, "translation")
    if is_task and len(sentence.split()) > 1 and all(len(example.split()) == 1 for example in card["examples"]):
        say("warning", words("notice.spaces"))


def _misfit(misfit: Misfit, entry: catalogue.Entry, sentence: str) -> None:
    """Note that a sentence is not in the model's language or words, and offer a model that reads it."""
    _say_reason(misfit, entry)
    if misfit.other:
        other = plain(misfit.other)
        reads = plain(name("languages", misfit.reads))
        if misfit.pinyin:
            label, sentence = words("notice.fit_use_characters", name=other, example=HELLO), HELLO
        elif misfit.translates:
            label = words("notice.fit_use", name=other)
        else:
            label = words("notice.fit_reads", name=other, language=reads)
        st.button(label, key="use_for", on_click=_use, args=(misfit.other, sentence))


def _use(checkpoint: str, sentence: str) -> None:
    """Give a sentence to a model that reads it."""
    view.choose(checkpoint=checkpoint)
    view.forget_place()
    _say_again(sentence)


def _say_again(sentence: str) -> None:
    """Show a sentence that was offered; a class is told of it as of one that was typed."""
    view.choose(sentence=sentence)
    my_class.has_typed(sentence)


def _unseen(run, entry: catalogue.Entry) -> None:
    """Characters that the model lacks, and words that training never showed, unless the mark names these."""
    if run.unknown_characters:
        say("warning", words("notice.characters", characters=characters(run.unknown_characters)))
    if ordinary.rule(entry) is not None:
        return
    # one that is itself such a character has been told of
    unseen = {word: pieces for word, pieces in run.unseen_words.items() if word not in run.unknown_characters}
    together = [word for word in unseen if len(word) > 1 and is_chinese(word)]
    if together:
        say("warning", words("notice.together", words=listed([quoted(word) for word in together])))
    apart = {word: pieces for word, pieces in unseen.items() if word not in together}
    if apart:
        whole = all(pieces == (SPECIALS[UNK],) for pieces in apart.values())  # words that cannot be cut
        texts = [words("notice.pieces", word=word, pieces=" ".join(pieces)) for word, pieces in apart.items()]
        say(
            "warning",
            words("notice.unknown" if whole else "notice.unseen", words=listed(list(apart) if whole else texts)),
        )


def mark(run, entry: catalogue.Entry) -> None:
    """Say of a translation that may be wrong, why: by the measured rule, else by words that the model was unsure of.

    Nothing for one that is trusted, or of which another notice says that the model cannot read it.
    """
    translates = entry.card.get("task") == "translation" and not isinstance(entry, catalogue.Untrained)
    if not translates or entry.config.architecture != "encoder-decoder":  # a decoder alone writes the sentence too
        return
    rule = ordinary.rule(entry)
    if (rule is None and run.unseen_words) or model_fit.misfit(entry, run.sentence):
        return
    if found := doubt.doubt(run, rule):
        say("info", words("doubt.mark", reasons=_reasons(found, run.unknown_characters)), _how_good(entry))


def _how_good(entry: catalogue.Entry) -> str | None:
    """How many wrong and how many right outputs the mark is on, where that was measured."""
    saved = ordinary.MEASUREMENT.saved(entry)
    if saved is None or saved.marked is None:
        return None
    wrong, right = (round(100 * share.mean) for share in saved.marked[:2])
    return words("doubt.measured", wrong=wrong, right=right, count=saved.sentences)


def _reasons(found: doubt.Doubt, named_already: Sequence[str]) -> str:
    """Why an output is doubted, the first two reasons, but for characters that a notice names already."""
    unseen = [quoted(word) for word in found.unseen if word not in named_already]
    unsure = [words("notice.pieces", word=quoted(word), pieces=percent(share)) for word, share in found.unsure]
    named = {"unseen": unseen, "ignored": list(map(quoted, found.ignored)), "unsure": unsure}
    reasons = [words(f"doubt.{key}", words=listed(each, NAMED)) for key, each in named.items() if each]
    return words("doubt.between").join(reasons[:REASONS])


def examples(entry: catalogue.Entry, label: str = WORKS) -> None:
    """Three sentences, a click away; once on a page. None is said to work after which the model repeats itself."""
    elements = script_run.current().drawn
    if "examples" in elements or isinstance(entry, Recording):
        return
    sentences = [each for each in entry.card["examples"] if label != WORKS or not _loops(entry, each)][:3]
    if not sentences:
        return
    elements.add("examples")
    with st.container(horizontal=True, key="examples"):
        st.caption(words(label), width="content")
        for number, sentence in enumerate(sentences):
            st.button(
                plain(sentence),
                key=f"example_{number}",
                type="tertiary",
                help=meaning(sentence) or None,
                on_click=view.choose,
                kwargs={"sentence": sentence},
            )


def _loops(entry: catalogue.Entry, sentence: str) -> bool:
    """Whether it has been seen that the model begins to repeat itself."""
    return models.has_run(entry, sentence) and models.run(entry, sentence).stop == "repetition"


def offer(label: str) -> None:
    """The examples of the model in view, where it can be read at all."""
    with suppress(InvalidInput):
        entry = current.entry()
        if entry is not None:
            examples(entry, label)


def meaning(sentence: str) -> str:
    """Meaning of an example in the user's language, where somebody wrote it down; else nothing."""
    glosses = section("gloss")
    return glosses.get(sentence, "")


def needs_model(recording: catalogue.Entry) -> None:
    """Say what this page would need and a recording lacks, with the ways on."""
    missing = words(f"recording_lacks.{view.view().page}")
    say("info", words("recording.needs_model", name=recording.name, missing=missing))
    with st.container(horizontal=True, vertical_alignment="center", key="without_model"):
        for page in ("start", "attention"):
            st.page_link(
                address.script_of(page), label=words(f"pages.{page}"), query_params=address.offer(page), width="content"
            )
        other_checkpoints(recording)


def other_checkpoints(entry: catalogue.Entry) -> None:
    """The way out where the model in view cannot be used: another one."""
    others = catalogue.sentence_models().items()
    if others := {name: other for name, other in others if name != entry.name and other.is_sound()}:
        other = current.first(others)
        label = words("notice.use_other", name=plain(other.name))
        choices = dict.fromkeys(("attention_kind", "layer", "head")) | {"checkpoint": other.name}
        st.button(label, on_click=view.choose, kwargs=choices)
