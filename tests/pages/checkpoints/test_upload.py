"""Own models: uploaded on one page, there on every page, seen by nobody else, gone when their user has gone."""

import json
import shutil
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from streamlit.testing.v1 import AppTest

from model.checkpoint import user_models
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.checkpoint.user_models import UserModels
from model.decode.translate import translate
from model.errors import InvalidInput
from model.pretrained import importing
from model.pretrained.card import Origin
from model.upload import upload_check
from pages.shared.models import current, own_models
from pages.shared.session import page_list
from pages.shared.ui.downloads import file_menu
from tests.app import (
    READING_PAGES,
    click,
    controls,
    downloads,
    inside,
    nothing_is_marked_up,
    said,
    sentence,
    shown,
    visit,
)
from tests.model.pretrained.small import build
from tests.samples import SAMPLES, either_language, tiny_checkpoint

pytestmark = pytest.mark.usefixtures("warm")

SENTENCE = "der Hund ist alt"
MARKED = "![x](http://evil.example/x.png) <b>x</b> :red[y] $x^2$"


@pytest.fixture(autouse=True)
def empty_user_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> UserModels:
    """Each test begins without any user's models."""
    empty = UserModels(tmp_path / "user_models")
    (tmp_path / "user_models").mkdir()
    monkeypatch.setattr(own_models, "USER_MODELS", empty)
    return empty


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Entry:
    folder = tmp_path_factory.mktemp("own") / "tiny"
    tiny_checkpoint(folder, seed=3)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card |= {"first_look": {"attention_kind": "cross", "layer": 0, "head": 1}, "examples": [SENTENCE, "ja!"]}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    return Entry(folder)


def send(app: AppTest, data: bytes, name: str = "tiny.zip") -> AppTest:
    """Choose a file, as a user does."""
    app.file_uploader[0].set_value([(name, data, "application/zip")]).run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app


def options(app: AppTest) -> list[str]:
    return list(app.sidebar.selectbox(key="checkpoint").options)


# on the page


@either_language
def test_an_uploaded_model_is_there_on_every_page_and_can_be_removed(language: str, tiny: Entry) -> None:
    app = send(visit("checkpoints", language), upload_check.pack(tiny))
    assert said(app) == [sentence(language, "upload.done", name="my-tiny")]
    title = next(option for option in options(app) if option.startswith("my-tiny"))
    assert title.endswith(sentence(language, "frame.yours", title="").strip())
    click(app, "use_my-tiny")
    app.switch_page("start/page.py").run()
    run = translate(load(tiny), SENTENCE)
    assert shown(app) == [SENTENCE, run.text]
    assert app.query_params["checkpoint"] == "my-tiny"
    for page in ("attention", "embedding", "position", "energy", "masks", "layers", "decoding", "intervene"):
        app.switch_page(f"{page}/page.py").run()
        assert not app.exception, (page, [error.stack_trace for error in app.exception])
        assert app.sidebar.selectbox(key="checkpoint").value == "my-tiny"
    app.switch_page("checkpoints/page.py").run()
    click(app, "remove_my-tiny")
    assert not any(option.startswith("my-tiny") for option in options(app))
    assert app.sidebar.selectbox(key="checkpoint").value != "my-tiny"
    assert said(app) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(("family", "language"), [("bert", "en"), ("nllb", "zh"), ("marian", "en"), ("minilm", "zh")])
def test_a_model_that_was_imported_is_there_on_every_page(family: str, language: str, tmp_path: Path) -> None:
    build(family, tmp_path / "original")
    licence = "---\nlicense: apache-2.0\n---\n"
    (tmp_path / "original" / "README.md").write_text(licence, encoding="utf-8")
    entry = importing.import_folder(tmp_path / "original", tmp_path, family, Origin("somebody/small"))
    app = send(visit("checkpoints", language), upload_check.pack(entry))
    assert said(app) == [sentence(language, "upload.done", name=f"my-{family}")]
    assert app.query_params["card"] == f"my-{family}"
    badge = sentence(language, "cards.imported", family=entry.card["imported"]["family"])
    assert any(badge in text.value.replace("\\", "") for text in app.markdown)
    controls(app)["show"].set_value("data").run()
    table = app.table[0].value.to_string().replace("\\", "")
    assert "somebody/small" in table
    assert "apache-2.0" in table
    click(app, f"use_my-{family}")
    for page in READING_PAGES:
        app.switch_page(f"{page_list.pages()[page].folder}/page.py").run()
        assert not app.exception, (page, [error.stack_trace for error in app.exception])
        assert [notice for notice in said(app) if sentence(language, "notice.unforeseen") in notice] == []
        assert app.sidebar.selectbox(key="checkpoint").value == f"my-{family}"
    if entry.card.get("languages"):
        app.sidebar.selectbox(key="told_writes").set_value("zho_Hans").run()
        assert app.query_params["checkpoint"] == f"my-{family}@eng_Latn-zho_Hans"
        told = sentence(language, "frame.told").format(language="zho_Hans")
        assert told in [caption.value.replace("\\", "") for caption in app.sidebar.caption]


@either_language
def test_damage_is_one_sentence_and_the_next_file_is_taken(language: str, tiny: Entry) -> None:
    data = upload_check.pack(tiny)
    app = send(visit("checkpoints", language), data[: len(data) // 2])
    expected = {"en": str(InvalidInput("exchange_zip")), "zh": "文件不是完整的 zip 压缩包：请重新下载或重新打包。"}
    assert said(app) == [expected[language]]
    assert not any(option.startswith("my-") for option in options(app))
    send(app, data)
    assert said(app) == [sentence(language, "upload.done", name="my-tiny")]


def test_the_file_does_not_stay_on_the_server(tiny: Entry) -> None:
    app = visit("checkpoints")
    first = app.file_uploader[0].key
    send(app, upload_check.pack(tiny))
    assert app.file_uploader[0].key != first
    assert not app.file_uploader[0].value


def test_a_fifth_model_is_refused_until_one_is_removed(tiny: Entry) -> None:
    app = visit("checkpoints")
    for _ in range(user_models.MOST):
        send(app, upload_check.pack(tiny))
    send(app, upload_check.pack(tiny))
    assert said(app) == [str(InvalidInput("own_models_many", count=4))]
    click(app, "remove_my-tiny-2")
    send(app, upload_check.pack(tiny))
    assert said(app) == [sentence("en", "upload.done", name="my-tiny-2")]


@either_language
def test_a_link_to_the_model_of_another_session_falls_back_and_says_so(language: str, tiny: Entry) -> None:
    send(visit("checkpoints"), upload_check.pack(tiny))
    app = visit("start", language, checkpoint="my-tiny")
    assert not any(option.startswith("my-") for option in options(app))
    used = {"en": "de-en", "zh": "zh-en"}[language]  # the model that reads the user's language
    assert said(app) == [sentence(language, "notice.own_checkpoint", value="my-tiny", used=used)]
    assert said(visit("start", language, checkpoint="nothing")) == [
        sentence(language, "notice.checkpoint", value="nothing", used=used)
    ]


def test_the_zip_of_a_sample_can_be_uploaded_again() -> None:
    app = send(visit("checkpoints"), upload_check.pack(Entry(SAMPLES / "de-en")), "de-en.zip")
    assert said(app) == [sentence("en", "upload.done", name="my-de-en")]


def test_every_card_can_be_downloaded(tiny: Entry) -> None:
    app = send(visit("checkpoints"), upload_check.pack(tiny))
    assert "download_my-tiny" in downloads(app)
    assert "download_de-en" in downloads(visit("checkpoints", card="de-en"))
    [entry] = own_models.USER_MODELS.of(next(iter(own_models.USER_MODELS._kept))).values()
    with ZipFile(BytesIO(file_menu.packed(entry))) as file:
        assert "my-tiny/model.safetensors" in file.namelist()


def test_what_a_stranger_writes_into_a_card_is_shown_as_text(tiny: Entry, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny.folder, tmp_path / "marked"))
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    card["source_language"] = card["target_language"] = card["command"] = MARKED
    card["examples"] = [SENTENCE, MARKED]
    card["covers"] = [{"topic": MARKED, "examples": [MARKED]}]
    card["data"] = [{"name": MARKED, "pairs": 3, "licence": MARKED}]
    card["scores"] = {MARKED: next(iter(card["scores"].values()))}
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    app = send(visit("checkpoints"), upload_check.pack(Entry(folder)))
    assert said(app) == [sentence("en", "upload.done", name="my-marked")]
    nothing_is_marked_up(app)
    assert any(MARKED in text for text in inside(app, "card_shown"))
    assert not [element for element in app.get("html") if "<b>x</b>" in element.proto.body]
    for table in app.table:  # its cells read Markdown
        cells = [str(text) for text in (*table.value.index, *table.value.columns, *table.value.to_numpy().flatten())]
        assert not [text for text in cells if "![" in text or "<b>" in text or ":red[" in text]
    for page in ("start", "checkpoints", "intervene", "decoding"):
        app = app.switch_page(f"{page}/page.py").run()
        reader = app.sidebar.selectbox(key="checkpoint").set_value("my-marked").run()
        assert not reader.exception, page
        nothing_is_marked_up(reader)


# what is kept, and for how long


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> UserModels:
    root = tmp_path / "kept"
    root.mkdir()
    return UserModels(root, clock, grace=100)


def folders(store: UserModels) -> int:
    assert store._root is not None
    return len(list(store._root.iterdir()))


def refusal(store: UserModels, user: str, entry: Entry) -> str:
    with pytest.raises(InvalidInput) as error:
        store.add(user, entry)
    return error.value.code


def test_users_do_not_see_each_other(kept: UserModels, tiny: Entry) -> None:
    assert [kept.add("a", tiny), kept.add("a", tiny), kept.add("b", tiny)] == ["my-tiny", "my-tiny-2", "my-tiny"]
    assert list(kept.of("a")) == ["my-tiny", "my-tiny-2"]
    one, other = kept.of("a")["my-tiny"], kept.of("b")["my-tiny"]
    assert one.folder != other.folder
    assert one.fingerprint != other.fingerprint  # caches of the server tell them apart
    kept.remove("b", "my-tiny-2")
    assert list(kept.of("a")) == ["my-tiny", "my-tiny-2"]
    assert kept.of("c") == {}


def test_models_go_some_time_after_the_last_session(kept: UserModels, tiny: Entry, clock: Clock) -> None:
    for _ in range(2):  # two tabs
        kept.session_opened("a")
    kept.add("a", tiny)
    kept.session_closed("a")
    clock.now = 1000
    kept.sweep()
    assert list(kept.of("a")) == ["my-tiny"]
    kept.session_closed("a")
    clock.now = 1099
    kept.sweep()
    kept.session_opened("a")  # a reload
    clock.now = 5000
    kept.sweep()
    assert list(kept.of("a")) == ["my-tiny"]
    kept.session_closed("a")
    clock.now = 5100
    kept.sweep()
    assert kept.of("a") == {}
    assert folders(kept) == 0


def test_a_timer_removes_them_without_a_visit(tmp_path: Path, tiny: Entry) -> None:
    import time

    short = UserModels(tmp_path, grace=0.1)
    short.session_opened("a")
    short.add("a", tiny)
    short.session_closed("a")
    end = time.monotonic() + 30
    while short.of("a"):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_room_is_made_by_those_who_have_gone_and_by_nobody_else(
    kept: UserModels, tiny: Entry, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = sum((tiny.folder / file).stat().st_size for file in user_models.FILES if (tiny.folder / file).is_file())
    monkeypatch.setattr(user_models, "ALL_BYTES", 3 * size)
    for number, user in enumerate("abc"):
        clock.now = number
        kept.session_opened(user)
        kept.add(user, tiny)
    assert refusal(kept, "d", tiny) == "own_models_full"
    clock.now = 10
    kept.session_closed("b")
    clock.now = 20
    kept.session_closed("a")
    kept.add("d", tiny)
    assert [bool(kept.of(user)) for user in "abcd"] == [True, False, True, True]
    monkeypatch.setattr(user_models, "BYTES", size)
    assert refusal(kept, "c", tiny) == "own_models_large"
    assert folders(kept) == 3


def test_a_model_is_copied_whole_and_named_as_no_other(kept: UserModels, tiny: Entry, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny.folder, tmp_path / "untrained-gpt"))
    (folder / "history.npz").write_bytes(b"history")
    (folder / "secret.txt").write_text("no")
    name = kept.add("a", Entry(folder))
    assert name == "my-gpt"
    assert current.OWN == "my-"
    shutil.rmtree(folder)
    copy = kept.of("a")[name].folder
    assert (copy / "history.npz").read_bytes() == b"history"
    assert not (copy / "secret.txt").exists()
    assert load(kept.of("a")[name]).name == "my-gpt"


def test_nothing_typed_leaves_the_page_unescaped() -> None:
    """The names of own models are cleaned before they are part of a key or of an address."""
    assert inside(visit("checkpoints"), "own_") == []
    assert user_models.clean_name(MARKED).replace("-", "").replace(".", "").isalnum()
