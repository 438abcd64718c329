"""Why a model cannot read a sentence, in the user's language: on the page of who typed it and on a teacher's board."""

from model.checkpoint.language_fit import Misfit
from pages.shared.text.words import name, section, words

HELLO = "你好！"  # for somebody who types pinyin


def reason(misfit: Misfit, source: str, target: str) -> str:
    """One sentence; `source` and `target` are the languages of the model's card, empty where it names none."""
    reads, writes, language = (name("languages", each) for each in (source, target, misfit.language))
    if misfit.simplified:
        return words("notice.traditional")
    if misfit.capitals:
        return words(f"notice.capitals_{source}", source=reads)
    if misfit.pinyin and source == "zh":
        return words("notice.fit_pinyin_here", example=HELLO)
    if misfit.pinyin:
        return words("notice.fit_pinyin", source=reads)
    if misfit.language and misfit.language == target:
        return words("notice.fit_target", source=reads, target=writes)
    if misfit.language:
        return words("notice.fit_language", source=reads, language=language)
    if misfit.script:
        return words("notice.fit_script", source=reads, script=_script(misfit.script))
    return words("notice.fit_words", source=reads, unseen=misfit.unseen, count=misfit.words)


def _script(script: str) -> str:
    """Name of a script; one that we have no word for is another one."""
    return section("scripts").get(script.lower(), words("scripts.other"))
