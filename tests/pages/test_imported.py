"""Imported models on every page: no crash, and no sentence that is false for them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from model.checkpoint import catalogue
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.pretrained import importing
from model.pretrained.card import Origin
from model.tokenization.tokenizer import EOS
from pages.masks import mask_matrices
from pages.masks.batch import Batch
from pages.shared.models.sentence import CurrentRun
from pages.shared.ui import architecture_map
from tests.app import READING_PAGES, inside, said, visit
from tests.app import sentence as worded
from tests.model.pretrained.small import build
from tests.samples import SAMPLES, either_language

MODELS = ("flan-t5", "llama", "bert")  # a way to give positions each: a bias, a rotation, a table before a norm
OTHERS = ("nllb", "pythia", "gpt-neo", "qwen3", "albert", "bert-labels", "bert-answers")
RARE = (
    "smollm3",
    "bert-tokens",
    "bert-several",
    "roberta-score",
)  # what they have of their own is asked in tests of its own
VIEWS = {
    "layers": ("stream", "residual", "norm", "feed_forward", "early", "context"),
    "attention": ("stages", "heads", "scale", "cell", "measures", "rollout", "similarity"),
    "embedding": ("way", "near", "frequencies", "odd", "arithmetic"),
    "decoding": ("attention", "cache", "inside", "sampling", "beam", "given"),
    "masks": ("patterns", "scores", "leak", "fill", "padding"),
    "why": ("words", "trust", "parts"),
    "circuits": ("roles", "averages", "patching"),
    "features": ("sentence", "train"),
    "compare": ("attention", "layers", "config"),
}
# of small models with random weights and vocabularies
EXPECTED = r"began to repeat itself|不断重复|has no token for|may be wrong|可能有误"
OPENED = {"attention": "view", "decoding": "view"}  # the setting that chooses a view; `show` elsewhere


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, originals = tmp_path_factory.mktemp("checkpoints"), tmp_path_factory.mktemp("originals")
    shutil.copytree(SAMPLES / "de-en", folder / "de-en")
    for name in (*MODELS, *OTHERS, *RARE):
        build(name, originals / name)
        importing.import_folder(originals / name, folder, name, Origin(f"somebody/{name}"))
    return folder


@pytest.fixture(autouse=True)
def _checkpoints(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder))


def opened(page: str, model: str, language: str = "en", **settings: str) -> str:
    """The text of a view, which shows neither an error nor a warning."""
    app = visit(page, language, checkpoint=model, **settings)
    assert [notice for notice in said(app) if not re.search(EXPECTED, notice)] == []
    plain = [element.value for element in (*app.markdown, *app.caption, *app.text, *app.code)]
    return "\n".join([*plain, *inside(app, ""), *(table.value.to_string() for table in app.table)])


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    "model",
    [*MODELS, "nllb@deu_Latn-zho_Hans", *OTHERS[1:], *(pytest.param(each, marks=pytest.mark.full) for each in RARE)],
)
@pytest.mark.parametrize("page", READING_PAGES)
def test_a_page_shows_an_imported_model(page: str, model: str) -> None:
    for show in VIEWS.get(page, ("",)):
        settings = {OPENED.get(page, "show"): show} if show else {}
        app = opened(page, model, **settings)
        assert not re.search(r"no positions|not told the order", app), (page, show)


@pytest.mark.parametrize("page", ["masks", "why"])
def test_special_tokens_of_bert_have_their_own_names(page: str) -> None:
    app = visit(page, checkpoint="bert")
    shown = " ".join(element.proto.body for element in app.main.get("html"))
    shown += " ".join(option for select in app.main.selectbox for option in select.options)
    assert "[CLS]" in shown
    assert "bos&gt;" not in shown


def test_no_special_token_is_looked_at_first() -> None:
    """[CLS] is longer than any piece of the vocabulary of this small model."""
    app = visit("intervene", checkpoint="bert")
    tokens = translate(load(catalogue.entries()["bert"]), app.text_input(key="sentence").value).trace.source_tokens
    assert tokens[app.selectbox(key="step").value] not in ("[CLS]", "[SEP]")


@either_language
def test_what_positions_do_is_said_where_they_act(language: str) -> None:
    sentences = {
        "en": ("learned number", "are rotated", "one more norm"),
        "zh": ("学到的数", "旋转一个角度", "多做一次归一化"),
    }
    for model, sentence in zip(MODELS, sentences[language], strict=True):
        assert sentence in opened("embedding", model, language)
    bias = {"en": "adds a number to every score", "zh": "每个头给每个分数加上一个数"}[language]
    content = opened("attention", "flan-t5", language, view="stages", stage="masked", attention_kind="encoder")
    assert bias in content
    assert bias not in opened("attention", "flan-t5", language, view="stages", stage="masked", attention_kind="cross")
    rotation = {"en": "each pair of numbers is turned", "zh": "每两维一组"}[language]
    assert rotation in opened("attention", "llama", language, view="stages", stage="query")
    text = {"en": "2 heads share these keys", "zh": "2 个头共用"}[language]
    assert text in opened("attention", "llama", language, view="stages", stage="key")


@either_language
def test_what_the_layers_of_a_model_do_otherwise_is_said(language: str) -> None:
    """Each sentence stands where it is true, and nowhere else."""
    sentences = {
        "en": ("in parallel", "the first 4 are turned", "at most 5 tokens", "divided by its root mean square"),
        "zh": ("并行", "前 4 维", "最多看到 5 个词元", "均方根"),
    }[language]
    models = {"pythia": {0, 1}, "gpt-neo": {2}, "qwen3": {3}, "llama": set()}
    for model, true in models.items():
        seen = opened("start", model, language)
        for stage in ("query", "mask", "residual"):
            seen += opened("attention", model, language, view="stages", stage=stage, layer="1")
        assert {at for at, sentence in enumerate(sentences) if sentence in seen} == true, model
    unrotated = {"en": "rotates nothing", "zh": "不做旋转"}[language]
    shown = [opened("attention", "smollm3", language, view="stages", stage="query", layer=layer) for layer in "01"]
    assert [unrotated in each for each in shown] == [False, True]


def test_the_map_ends_with_what_the_model_gives() -> None:
    last = {"albert": "logits", "bert-labels": "labels", "pythia": "next_word", "flan-t5": "next_word"}
    for model, block in last.items():
        entry = catalogue.find(model)
        picture = json.loads(architecture_map.architecture_data(CurrentRun(entry, entry.card["examples"][0])))["wide"]
        assert re.findall(r'data-block="(\w+)"', picture)[-1] == block


@either_language
def test_shared_layers_and_a_narrow_embedding_are_said(language: str) -> None:
    shared = {"en": "All 2 layers have the same weights", "zh": "全部 2 层共用同一组权重"}[language]
    narrow = {"en": "has 10 numbers", "zh": "是 10 维"}[language]
    for model in ("albert", "bert"):
        assert (shared in opened("start", model, language)) == (model == "albert")
        assert (narrow in opened("embedding", model, language)) == (model == "albert")


@either_language
def test_labels_are_shown_with_their_probabilities_and_asked_about(language: str) -> None:
    for model in ("bert-labels", "bert-tokens"):
        entry = catalogue.find(model)
        logits = translate(load(entry), entry.card["examples"][0]).trace.values["labels"]
        shares = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
        app = visit("start", language, checkpoint=model)
        shown = "\n".join(inside(app, "figure_labels"))
        assert f"{100 * shares[0].max():.1f}" in shown
        best = ("bad", "fair", "good")[int(shares[0].argmax())]
        assert best in shown
        why = opened("why", model, language)
        assert {"en": "The model gives the label", "zh": "模型给出标签"}[language] in why
        assert {"en": "word of the output", "zh": "输出的词"}[language] not in why
        title = visit("why", language, checkpoint=model).title[0].value
        assert title == {"en": "Which words caused this label?", "zh": "这个标签是由哪些词决定的？"}[language]


@either_language
def test_labels_that_hold_each_by_itself_have_probabilities_of_their_own(language: str) -> None:
    entry = catalogue.find("bert-several")
    logits = translate(load(entry), entry.card["examples"][0]).trace.values["labels"][0]
    shares = torch.tensor(logits).sigmoid().tolist()
    shown = "\n".join(inside(visit("start", language, checkpoint="bert-several"), "figure_labels"))
    hint = {"en": "need not add up to 100%", "zh": "不一定是 100%"}[language]
    assert hint in opened("start", "bert-several", language)
    assert hint not in opened("start", "bert-labels", language)
    for name, share in zip(("bad", "fair", "good"), shares, strict=True):
        assert f"{name}{100 * share:.1f}%" in shown
    for step, share in enumerate(shares):
        assert f"{100 * share:.1f}%" in opened("why", "bert-several", language, step=str(step))


@either_language
def test_a_number_is_shown_as_it_is_and_called_no_probability(language: str) -> None:
    entry = catalogue.find("roberta-score")
    number = float(translate(load(entry), entry.card["examples"][0]).trace.values["labels"][0, 0])
    shown = "\n".join(inside(visit("start", language, checkpoint="roberta-score"), "figure_labels"))
    assert f"{number:.3f}".replace("-", "−") in shown
    assert "%" not in shown
    for show in ("words", "trust"):
        why = opened("why", "roberta-score", language, show=show)
        assert {"en": "probability", "zh": "概率"}[language] not in why
    title = visit("why", language, checkpoint="roberta-score").title[0].value
    assert title == {"en": "Which words caused this number?", "zh": "这个数是由哪些词决定的？"}[language]


@either_language
def test_an_answer_is_a_span_of_the_second_text(language: str) -> None:
    checkpoint = load(catalogue.find("bert-answers"))
    sentence = "Who sleeps? [SEP] The dog sleeps on the sofa."
    run = translate(checkpoint, sentence)
    starts, ends = torch.tensor(run.trace.values["labels"]).softmax(dim=0).T.tolist()
    context = range(run.source.index(EOS) + 1, len(run.source) - 1)
    share, first, last = max((starts[i] * ends[j], i, j) for i in context for j in context if i <= j)
    app = visit("start", language, checkpoint="bert-answers", sentence=sentence)
    shown = "\n".join(inside(app, "figure_labels"))
    assert checkpoint.tokenizer.decode(run.source[first : last + 1]) in shown
    assert f"{100 * share:.1f}%" in shown
    for at, token in enumerate(run.trace.source_tokens):
        assert f"{token}{1 if at < context[0] else 2}{100 * starts[at]:.1f}%{100 * ends[at]:.1f}%" in shown
    why = opened("why", "bert-answers", language, sentence=sentence)
    logit = run.trace.values["labels"][first, 0]
    assert f"logit of {logit:+.2f}".replace("-", "−") in why or f"logit 是 {logit:+.2f}".replace("-", "−") in why


def test_a_pair_without_a_second_text_says_what_is_missing() -> None:
    app = visit("start", checkpoint="bert-answers", sentence="Who sleeps? [SEP] ")
    assert said(app) == ["One of the two texts is empty: write one before [SEP] and one behind it."]


@either_language
def test_the_segment_is_a_part_of_the_sum(language: str) -> None:
    app = visit("embedding", language, checkpoint="bert-answers")
    assert any(r"_{PE} + \underbrace" in each.value and r"_{S}" in each.value for each in app.latex)
    assert {"en": "trained on pairs", "zh": "成对的文本"}[language] in "\n".join(each.value for each in app.caption)
    assert not any(r"_{S}" in each.value for each in visit("embedding", language, checkpoint="roberta-score").latex)


def test_the_masks_page_shows_the_window_of_each_layer() -> None:
    entry = catalogue.find("gpt-neo")
    batch = Batch(entry, (1,), (translate(load(entry), "The cat sat on the mat"),), 0)
    shown = {matrix.key: matrix for matrix in mask_matrices.patterns(batch)}
    assert "causal" in shown
    seen = shown["window5"].values.sum(axis=1)
    assert seen.max() == 5
    assert "layer 1:" in shown["window5"].note


def test_a_user_chooses_the_languages_of_a_model_of_many() -> None:
    app = visit("start", checkpoint="nllb")
    assert (app.selectbox(key="told_reads").value, app.selectbox(key="told_writes").value) == ("eng_Latn", "deu_Latn")
    app.selectbox(key="told_writes").set_value("zho_Hans").run()
    app.selectbox(key="told_reads").set_value("deu_Latn").run()
    assert app.query_params["checkpoint"] == "nllb@deu_Latn-zho_Hans"
    assert app.text_input(key="sentence").value == "Wir gehen heute ins Kino."
    assert "made to begin with “zho_Hans”" in "\n".join(each.value for each in app.caption)
    assert "nllb" not in app.selectbox(key="checkpoint").options


@pytest.mark.parametrize(("language", "said_there"), [("en", "made to begin with it"), ("zh", "规定以它开头")])
def test_the_first_token_that_a_model_is_told_is_shown_as_such(language: str, said_there: str) -> None:
    for show in ("", "inside"):
        settings = {"view": show} if show else {}
        assert said_there in opened("decoding", "nllb@deu_Latn-zho_Hans", language, step="0", **settings)
        assert said_there not in opened("decoding", "nllb@deu_Latn-zho_Hans", language, step="1", **settings)


def test_the_card_names_family_source_and_licence() -> None:
    app = opened("checkpoints", "de-en", card="flan-t5", show="data")
    assert "somebody/flan-t5" in app.replace("\\", "")
    assert "names none" in app
    for show in ("looks", "knows", "parts"):
        opened("checkpoints", "de-en", card="flan-t5", show=show)
    assert "python -m model import" in opened("checkpoints", "de-en")


@either_language
def test_an_answer_is_marked_where_it_stands_and_the_second_text_where_it_begins(language: str) -> None:
    """The tokens of the answer are those with the largest product of start and end, in the second text."""
    question, text = "Where is the dog?", "The dog is in the garden."
    app = visit("start", language, checkpoint="bert-answers", sentence=f"{question} [SEP] {text}")
    checkpoint = load(catalogue.entries()["bert-answers"])
    run = translate(checkpoint, f"{question} [SEP] {text}")
    start, end = torch.tensor(run.trace.values["labels"]).log_softmax(dim=0).T
    second = run.trace.source_tokens.index("[SEP]") + 1
    likely = {
        (first, last): float(start[first] + end[last])
        for first in range(second, len(start) - 1)
        for last in range(first, len(start) - 1)
    }
    first, last = max(likely, key=likely.__getitem__)
    [table] = [element.proto.body for element in app.main.get("html") if "gf-long" in element.proto.body]
    lines = re.findall(r"<tr.*?</tr>", table, re.S)[1:]
    assert [at for at, line in enumerate(lines) if "aria-current" in line] == list(range(first, last + 1))
    begins = worded(language, "frame.second_text", at=second, token=run.trace.source_tokens[second])
    for page in ("start", "attention"):
        app = visit(page, language, checkpoint="bert-answers", sentence=f"{question} [SEP] {text}")
        assert begins in [caption.value for caption in app.main.caption]
        app = visit(page, language, checkpoint="bert-answers", sentence=text)
        assert begins[:8] not in " ".join(caption.value for caption in app.main.caption)


@either_language
def test_the_answers_of_both_passes_stand_under_their_pass(language: str) -> None:
    link = {"checkpoint": "bert-answers", "sentence": "Where? [SEP] In the garden.", "changes": "off:encoder.0.0"}
    app = visit("intervene", language, **link)
    [table] = [element.proto.body for element in app.main.get("html") if "gf-long" in element.proto.body]
    over, heads = (re.findall(r"<t[hd]([^>]*)>(.*?)</t", line) for line in re.findall(r"<tr.*?</tr>", table, re.S)[:2])
    before, after = (worded(language, f"intervene_outputs.{name}") for name in ("before", "after"))
    assert [(text, re.search(r'colspan="(\d)"', tag)[1]) for tag, text in over] == [
        ("", "2"),
        (before, "2"),
        (after, "2"),
    ]
    names = [worded(language, f"labels.{name}") for name in ("token", "text", "start", "end", "start", "end")]
    assert [text for _, text in heads] == names


def test_a_sentence_after_which_a_model_repeats_itself_is_not_said_to_work() -> None:
    entry = catalogue.entries()["pythia"]
    loops = [text for text in entry.card["examples"] if translate(load(entry), text).stop == "repetition"]
    assert loops
    app = visit("attention", checkpoint="pythia", sentence=loops[0])
    assert worded("en", "notice.stop_repetition") in said(app)
    labels = [button.label.replace("\\", "") for button in app.main.button if str(button.key).startswith("example_")]
    assert loops[0] not in labels


def test_lines_of_a_model_that_gives_labels_are_right_or_wrong() -> None:
    app = visit("data", checkpoint="bert-labels")
    app.text_area(key="lines").set_value("The dog sleeps.\tgood\nThe house is small.\tbad").run()
    html = " ".join(element.proto.body for element in app.main.get("html") if "gf-linked" in element.proto.body)
    agreement, chrf = (worded("en", f"data_column.{key}") for key in ("agreement", "chrf"))
    assert f">{agreement}<" in html
    assert f">{chrf}<" not in html
    checkpoint = load(catalogue.entries()["bert-labels"])
    for text in ("The dog sleeps.", "The house is small."):
        logits = torch.from_numpy(translate(checkpoint, text).trace.values["labels"])[0]
        assert f">{checkpoint.model.config.labels[int(logits.argmax())]}<" in html
    signals = inside(app, "figure_signals")
    assert any(text.endswith(worded("en", "data_signals.wrong_labels", wrong="", count=2).strip()) for text in signals)


def test_lines_are_for_models_that_answer_each_with_one_thing() -> None:
    assert worded("en", "data_lines.no_model") in inside(visit("data", checkpoint="bert-tokens"), "figure_given")
