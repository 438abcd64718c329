"""A recording of somebody's own model: opened on one page, shown where no model is needed, refused elsewhere."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
from streamlit.testing.v1 import AppTest

from model.checkpoint.recording import FILE
from model.checkpoint.user_models import UserModels
from model.errors import InvalidInput
from model.upload import check_recording
from pages.checkpoints import upload
from pages.shared.layout.sidebar import CONTENTS
from pages.shared.models import own_models
from pages.shared.text.words import catalogue
from tests.app import downloads, nothing_is_marked_up, said, sentence, shown, visit
from tests.fixtures import LANGUAGES, ROOT
from tests.model.upload.test_check_recording import arrays, packed

pytestmark = pytest.mark.usefixtures("warm")

NAME = "my-bert"
WORDS = ("</s>", "<unk>", "<pad>", "Wo", "ist", "das", "Buch", "?")
PAGES = [name for names in CONTENTS.values() for name in names]


@pytest.fixture(autouse=True)
def empty_user_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "user_models").mkdir()
    monkeypatch.setattr(own_models, "USER_MODELS", UserModels(tmp_path / "user_models"))


def opened(language: str = "en", data: bytes | None = None) -> AppTest:
    """The page after a recording was sent, as a user sends one."""
    app = visit("checkpoints", language)
    field = next(field for field in app.file_uploader if field.key.startswith("recording_"))
    field.set_value([("bert.npz", packed(arrays()) if data is None else data, "application/zip")]).run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def goto(app: AppTest, page: str) -> AppTest:
    folder = {"break": "break_it", "class": "classroom"}.get(page, page)
    app.switch_page(f"{folder}/page.py").run()
    assert not app.exception, (page, [error.stack_trace for error in app.exception])
    return app


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_opens_where_no_model_is_needed_and_other_pages_say_what_is_missing(language: str) -> None:
    app = opened(language)
    assert said(app) == [sentence(language, "recording.done", name=NAME)]
    refusing = []
    for page in PAGES:
        goto(app, page)
        if lacks := catalogue(language).get(f"recording_lacks.{page}"):
            refusing.append(page)
            assert said(app) == [sentence(language, "recording.needs_model", name=NAME, missing=lacks)], page
        elif page not in ("checkpoints", "class"):
            assert not said(app), page
    assert set(PAGES) - set(refusing) == {
        "start", "attention", "primer", "train", "glossary", "checkpoints", "class", "llm", "forecast",
    }  # fmt: skip


def test_start_and_attention_show_its_numbers() -> None:
    app = goto(opened(), "start")
    assert shown(app) == ["Wo bist du", "Where are …"]
    assert app.query_params["checkpoint"] == NAME
    goto(app, "attention")
    for view, wanted in (("measures", False), ("rollout", False), ("similarity", False), ("stages", True)):
        app.query_params["view"] = view
        app.run()
        assert not app.exception
        assert (sentence("en", "recording.weights_only") in [caption.value for caption in app.caption]) is wanted, view
    assert b"0.1" in downloads(app)["csv"].make()


@pytest.mark.parametrize("kept", [("encoder_attention", "source_tokens"), ("decoder_attention", "target_tokens")])
def test_an_encoder_or_a_decoder_alone(kept: tuple[str, ...]) -> None:
    app = opened(data=packed({name: value for name, value in arrays().items() if name in kept}))
    for page in ("start", "attention"):
        goto(app, page)


def test_cross_attention_alone() -> None:
    kept = ("cross_attention", "source_tokens", "target_tokens")
    app = goto(opened(data=packed({name: value for name, value in arrays().items() if name in kept})), "attention")
    app.query_params["view"] = "rollout"
    app.run()
    assert not app.exception
    assert sentence("en", "recording.no_self_attention") in [caption.value for caption in app.caption]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_file_is_one_sentence_and_the_next_is_taken(language: str) -> None:
    app = opened(language, packed(arrays(source_tokens=None)))
    error = InvalidInput(
        "recording_length", name="encoder_attention[0]", axis="queries", found=4, tokens="source_tokens", needed=0
    )
    template = catalogue(language).get("refused.recording_length")
    assert said(app) == [template.format(**error.values) if template else str(error)]


def test_its_file_is_downloaded_and_opens_again() -> None:
    app = opened()
    again = downloads(app)[f"download_{NAME}"].make()
    np.testing.assert_array_equal(
        check_recording.read(again).weights("cross"), check_recording.read(packed(arrays())).weights("cross")
    )
    app.button(key=f"remove_{NAME}").click().run()
    assert not own_models.USER_MODELS.of(next(iter(own_models.USER_MODELS._present)))
    assert app.sidebar.selectbox[0].value == "de-en"


def test_tokens_of_a_stranger_are_text() -> None:
    marked = ["<b>x</b>", "![x](http://evil.example)", ":red[y]", "$x$"]
    app = opened(data=packed(arrays(source_tokens=marked)))
    for page in ("start", "attention"):
        nothing_is_marked_up(goto(app, page))


def test_the_lines_on_the_page_write_what_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example is run as it stands, with a small untrained model in the folder that it names."""
    transformers = pytest.importorskip("transformers")
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    config = transformers.MarianConfig(
        vocab_size=len(WORDS), d_model=16, encoder_layers=2, decoder_layers=3, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=16, decoder_ffn_dim=16, pad_token_id=2, eos_token_id=0,
        decoder_start_token_id=2, forced_eos_token_id=0, max_length=8,
    )  # fmt: skip
    torch.manual_seed(0)
    folder = tmp_path / "Helsinki-NLP" / "opus-mt-de-en"
    transformers.MarianMTModel(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="<unk>").save_pretrained(folder)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "record.py").write_text(upload.RECORDING, encoding="utf-8")
    runpy.run_path("record.py")
    trace = check_recording.read((tmp_path / FILE).read_bytes())
    assert trace.source_tokens == ("Wo", "ist", "das", "Buch", "?")
    assert trace.weights("encoder").shape == (2, 4, 5, 5)
    assert trace.weights("cross").shape[:2] == (3, 4)
    assert trace.output_tokens[:-1] == trace.target_tokens[1:]
    assert upload.RECORDING in (ROOT / "docs" / "recordings.md").read_text(encoding="utf-8")
