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
from pages.shared.models import own_models
from pages.shared.session.address import script_of
from pages.shared.text.words import all_texts
from pages.start.output_so_far import written
from tests.app import PAGES, controls, downloads, keys, nothing_is_marked_up, said, sentence, shown, visit
from tests.model.upload.test_check_recording import arrays, packed, rows
from tests.samples import ROOT, either_language

pytestmark = pytest.mark.usefixtures("warm")

NAME = "my-bert"
WORDS = ("</s>", "<unk>", "<pad>", "Wo", "ist", "das", "Buch", "?")
OF_WEIGHTS = ("measures", "rollout", "similarity")


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
    app.switch_page(script_of(page)).run()
    assert not app.exception, (page, [error.stack_trace for error in app.exception])
    return app


@either_language
def test_it_opens_where_no_model_is_needed_and_other_pages_say_what_is_missing(language: str) -> None:
    app = opened(language)
    assert said(app) == [sentence(language, "recording.done", name=NAME)]
    needs = sentence(language, "recording.needs_model", name=NAME, missing="").strip()
    for page in PAGES:
        goto(app, page)
        if lacks := all_texts(language).get(f"recording_lacks.{page}"):
            assert said(app) == [sentence(language, "recording.needs_model", name=NAME, missing=lacks)], page
        else:
            assert not any(needs in text for text in said(app)), page


def test_start_and_attention_show_its_numbers() -> None:
    app = goto(opened(), "start")
    assert shown(app) == ["Wo bist du", "Where are…"]
    assert app.query_params["checkpoint"] == NAME
    goto(app, "attention")
    for view in OF_WEIGHTS:
        app.query_params["view"] = view
        app.run()
        assert not app.exception
    assert list(controls(app)["view"].options) == [sentence("en", f"attention_view.{view}") for view in OF_WEIGHTS]
    assert b"0.1" in downloads(app)["csv"].make()


def test_norms_need_values_which_a_recording_lacks() -> None:
    app = goto(opened(), "attention")
    assert "words" in keys(app)
    assert "norms" not in keys(app)
    app.query_params["norms"] = "1"
    app.run()
    assert said(app) == []
    assert next(iter(downloads(app)["csv"].make().decode("utf-8-sig").splitlines())).split(",")[5] == "weight"


def test_the_output_grows_on_start_with_the_marks_of_another_tokenizer() -> None:
    assert written("Where are you?", ("▁Where", "▁are", "▁you", "?", "</s>")) == [
        "Where", "Where are", "Where are you", "Where are you?", "Where are you?",
    ]  # fmt: skip


@pytest.mark.parametrize("kept", [("encoder_attention", "source_tokens"), ("decoder_attention", "target_tokens")])
def test_an_encoder_or_a_decoder_alone(kept: tuple[str, ...]) -> None:
    app = opened(data=packed({name: value for name, value in arrays().items() if name in kept}))
    for page in ("start", "attention"):
        goto(app, page)


def test_cross_attention_alone() -> None:
    names = ("cross_attention", "source_tokens", "target_tokens")
    app = goto(opened(data=packed({name: value for name, value in arrays().items() if name in names})), "attention")
    assert sentence("en", "attention_view.rollout") not in controls(app)["view"].options


@either_language
def test_a_bad_file_is_one_sentence_and_the_next_is_taken(language: str) -> None:
    app = opened(language, packed(arrays(source_tokens=None)))
    values = {"tokens": "source_tokens", "name": "encoder_attention[0]"}
    assert said(app) == [refusal_in(language, "recording_missing", values)]
    field = next(field for field in app.file_uploader if field.key.startswith("recording_"))
    field.set_value([("bert.npz", packed(arrays()), "application/zip")]).run()
    assert said(app) == [sentence(language, "recording.done", name=NAME)]


def refusal_in(language: str, code: str, values: dict[str, str]) -> str:
    return all_texts(language)[f"refused.{code}"].format(**values)


def test_many_heads_are_not_all_compared() -> None:
    many = {"encoder_attention": rows(20, 13, 2, 2), "source_tokens": np.array(["a", "b"])}
    app = goto(opened(data=packed(many)), "attention")
    assert sentence("en", "attention_view.similarity") not in controls(app)["view"].options
    few = arrays(encoder_attention=rows(20, 13, 4, 4))
    app = goto(opened(data=packed(few)), "attention")
    app.query_params |= {"view": "similarity", "attention_kind": "encoder"}
    app.run()
    assert sentence("en", "attention_similarity.many", count=260) in [caption.value for caption in app.caption]


def test_the_way_out_forgets_the_head_and_a_file_that_is_gone_is_a_sentence() -> None:
    app = opened(data=packed(arrays(cross_attention=rows(9, 9, 3, 4))))
    goto(app, "attention")
    app.query_params |= {"layer": "8", "head": "8"}
    app.run()
    [entry] = own_models.USER_MODELS.of(next(iter(own_models.USER_MODELS._present))).values()
    (entry.folder / FILE).unlink()
    goto(app, "start")
    assert said(app) == [str(InvalidInput("checkpoint_file", name=NAME, file=FILE))]
    app.button[0].click().run()
    goto(app, "attention")
    assert not said(app)


@either_language
def test_it_cannot_stand_beside_a_model(language: str) -> None:
    app = opened(language)
    app.query_params |= {"checkpoint": "de-en", "other": NAME}
    goto(app, "compare")
    assert said(app) == [sentence(language, "recording.beside", value=NAME, used="de-en")]


def test_its_file_is_downloaded_and_opens_again() -> None:
    app = opened()
    again = downloads(app)[f"download_{NAME}"].make()
    np.testing.assert_array_equal(
        check_recording.read(again).weights("cross"), check_recording.read(packed(arrays())).weights("cross")
    )
    app.button(key=f"remove_{NAME}").click().run()
    assert not own_models.USER_MODELS.of(next(iter(own_models.USER_MODELS._present)))
    assert app.sidebar.selectbox(key="checkpoint").value == "de-en"


def test_tokens_of_a_stranger_are_text() -> None:
    tokens = ["<b>x</b>", "![x](http://evil.example)", ":red[y]", "$x$"]
    app = opened(data=packed(arrays(source_tokens=tokens)))
    for page in ("start", "attention"):
        nothing_is_marked_up(goto(app, page))


@pytest.mark.filterwarnings("ignore:Using the model-agnostic default")  # length: that of a small model is enough
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
    trace = check_recording.read((tmp_path / "recording.npz").read_bytes())
    assert trace.source_tokens == ("Wo", "ist", "das", "Buch", "?")
    assert trace.weights("encoder").shape == (2, 4, 5, 5)
    assert trace.weights("cross").shape[:2] == (3, 4)
    assert trace.output_tokens[:-1] == trace.target_tokens[1:]
    assert upload.RECORDING in (ROOT / "docs" / "recordings.md").read_text(encoding="utf-8")
