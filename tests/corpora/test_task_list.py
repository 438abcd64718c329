"""The list of tasks: their names and order, which links and runs keep, and what each says of itself."""

from dataclasses import fields

import pytest

from corpora.task_list import grammar_for, tasks
from model.train.objectives import OBJECTIVES
from model.train.run_settings import RunSettings

NAMES = [
    "dates", "reverse", "copy", "sort", "addition", "spread", "repeat", "modular", "notebook", "grammar", "chinese",
    "spanish", "text", "own",
]  # fmt: skip


def test_every_task_is_found_and_has_its_place() -> None:
    assert [name for name in tasks() if name in NAMES] == NAMES
    assert len({task.place for task in tasks().values()}) == len(tasks())


@pytest.mark.parametrize("name", tasks())
def test_a_task_says_what_a_run_and_a_card_need(name: str) -> None:
    task = tasks()[name]
    assert bool(task.does and task.beyond) != (task.on_card in {each.name for each in OBJECTIVES.values()})
    assert set(task.choices) <= {field.name for field in fields(RunSettings)}
    assert (task.settings.get("architecture") == "decoder") == task.alone


def test_a_user_translates_from_their_own_language_where_there_is_a_grammar() -> None:
    assert [grammar_for(language) for language in ("de", "zh", "es", "en", "fr")] == [
        "grammar", "chinese", "spanish", "grammar", "grammar"
    ]  # fmt: skip
