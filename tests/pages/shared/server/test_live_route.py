"""Live pages of the server: their files, what cannot be had, and a model that the server computes."""

import gzip
import json
import re
from collections.abc import Iterator
from concurrent.futures import Future

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from live import pages
from live.texts import texts
from model.checkpoint import catalogue
from model.decode.translate import translate
from pages.shared.load import fair_use
from pages.shared.models import live_files
from pages.shared.server.routes import engine_route, live_route
from pages.shared.text.words import all_texts
from tests.samples import KINO, german_english

SMALL = 100_000  # bytes of a page as it travels


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(live_route, "_AT_ONCE", 300)  # seconds: the files are made by the first test that asks
    with TestClient(Starlette(routes=[engine_route.ROUTE, *live_route.ROUTES])) as client:
        yield client
    live_files.forget()


def _listed(page: str) -> dict:
    found = re.search(r'id="live">(.*?)</script>', page)
    assert found
    return json.loads(found[1])


def test_a_page_and_its_files_come_from_the_server(client: TestClient) -> None:
    page = client.get("/live/reverse")  # the address without its last stroke is that of the folder
    [model] = _listed(page.text)["models"]
    file = client.get(f"/live/reverse/{model['url']}")
    assert int(file.headers["content-length"]) == model["bytes"]
    assert "immutable" in file.headers["cache-control"]
    assert page.headers["cache-control"] == "no-cache"
    assert "course" in client.get(f"/live/reverse/{model['lessons']['url']}").json()


def test_a_page_is_small_and_shows_its_example_before_any_script(client: TestClient) -> None:
    for language, other in (("en", "zh"), ("zh", "en")):
        answer = client.get("/live/reverse/", headers={"Accept-Language": language})
        assert int(answer.headers["content-length"]) < SMALL
        page = answer.text
        listed = _listed(page)
        before, _, scripts = page.partition('<script type="application/json"')
        example = listed["models"][0]["example"]
        assert f">{example['sentence']}</p>" in before
        assert f">{example['text']}</p>" in before
        assert all_texts(language)["start.question"] in before
        held = re.search(r'id="texts">(.*?)</script>', scripts)
        assert held
        assert list(json.loads(held[1])) == [language]
        texts_of_other = client.get(f"/live/reverse/{listed['texts'][other]['url']}")
        assert texts_of_other.json() == texts(other)
        assert "immutable" in texts_of_other.headers["cache-control"]


def test_files_are_packed_once_and_asked_for_again_by_their_tag(client: TestClient) -> None:
    listed = _listed(client.get("/live/reverse/").text)
    script = re.search(r'src="(\.\./shared/page\.[0-9a-f]+\.js)"', client.get("/live/reverse/").text)
    assert script
    for path in ("", script[1], listed["worker"]["url"], listed["models"][0]["url"]):
        packed = client.get(f"/live/reverse/{path}")
        assert packed.headers["content-encoding"] == "gzip"
        plain = client.get(f"/live/reverse/{path}", headers={"Accept-Encoding": "identity"})
        if not path.endswith(".gz"):  # which a page unpacks by itself
            assert "content-encoding" not in plain.headers
        assert plain.content == packed.content
        same = client.get(f"/live/reverse/{path}", headers={"If-None-Match": packed.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")
    assert listed["training"]["url"] == "../training/training.gz"  # made for the first who trains
    made = live_files.files(catalogue.find("reverse")).result()
    assert client.get("/live/reverse/").status_code == 200
    assert live_files.files(catalogue.find("reverse")).result() is made


@pytest.mark.parametrize("language", ["en", "zh", "es"])
def test_who_comes_before_the_files_are_made_is_told_so_and_gets_them_later(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """No proxy ends a request that waits: `Prefer` says that a script can wait, and 202 that it may ask again."""
    making: Future[live_files.Files] = Future()
    monkeypatch.setattr(live_files, "files", lambda entry: making)
    for name in ("_AT_ONCE", "_PATIENT"):
        monkeypatch.setattr(live_route, name, 0)
    soon = all_texts(language)["notice.live_soon"]
    page = client.get("/live/reverse/?class=ABC", headers={"Accept-Language": language})
    assert (page.status_code, page.headers["cache-control"]) == (202, "no-store")
    assert f'<p role="status">{soon}</p>' in page.text
    assert client.head("/live/reverse/", headers={"Prefer": "wait"}).status_code == 202
    file = client.get("/live/reverse/models/model.gz", headers={"Accept-Language": language})
    assert (file.status_code, file.text) == (503, soon)
    making.set_result({f"index.{language}.html": live_files.File(gzip.compress(b"made"), '"tag"')})
    for name in ("_AT_ONCE", "_PATIENT"):
        monkeypatch.setattr(live_route, name, 60)
    page = client.get("/live/reverse/?class=ABC", headers={"Accept-Language": language})
    assert (page.status_code, page.text) == (200, "made")
    assert client.head("/live/reverse/", headers={"Accept-Language": language, "Prefer": "wait"}).status_code == 200


def test_a_page_is_there_with_what_all_pages_share(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def make(function: object, of: catalogue.Entry | str, path: str) -> live_files.Files:
        order.append(of if isinstance(of, str) else of.name)
        return {}

    monkeypatch.setattr(live_files.workers, "call_for_file", make)
    assert live_files.files(catalogue.find("reverse")).result() == {}
    assert order == [live_files.SHARED, "reverse"]
    live_files.forget()


def test_what_has_changed_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = pages.shared_files()
    monkeypatch.setattr(pages.engine_files, "page_script", lambda: "new")
    after = pages.shared_files.__wrapped__()
    assert after["script"][0] != before["script"][0]
    assert after["worker"] == before["worker"]


def test_a_page_knows_which_models_run_in_a_browser(client: TestClient) -> None:
    app = _listed(client.get("/live/reverse/").text)["app"]
    assert app["base"] == ""
    assert {"reverse", "es-en", "sort"} <= set(app["models"])
    assert "forecast" not in app["models"]  # which reads numbers


def test_a_link_without_its_last_stroke_keeps_the_class(client: TestClient) -> None:
    answer = client.get("/live/reverse?class=K7Q-2MX", follow_redirects=False)
    assert answer.headers["location"].endswith("/live/reverse/?class=K7Q-2MX")


@pytest.mark.parametrize("path", ["nothing/", "forecast/", "reverse/models/none.gz", "reverse/%2e%2e%2fapp.py"])
def test_what_is_not_there_is_said(path: str, client: TestClient) -> None:
    answer = client.get(f"/live/{path}")
    assert answer.status_code in (404, 409)
    assert "Traceback" not in answer.text
    assert len(answer.text) > 20


def test_a_large_model_is_computed_by_the_server(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "IN_BROWSER", 1000)
    [model] = _listed(client.get("/live/de-en/").text)["models"]
    assert model["engine"] == "/engine/de-en"
    assert "url" not in model
    message = {"text": KINO, "heads": [], "forced": [], "only": ["logits"]}
    answer = client.post("/engine/de-en/write", json=message).content
    length = int.from_bytes(answer[:4], "little")
    header, run = json.loads(answer[4 : 4 + length]), translate(german_english(), KINO)
    assert header["text"] == run.text
    [[name, shape]] = header["arrays"]["values"]
    assert (name, tuple(shape)) == ("logits", run.trace.values["logits"].shape)
    logits = np.frombuffer(answer[4 + length :], "<f4").reshape(shape)
    assert np.allclose(logits, run.trace.values["logits"], atol=1e-4)


_PASS = {"source": [1, 5, 2], "target": [1], "heads": [], "first": 0}
_ROW = {
    "source": [1, 5, 2], "target": [1], "heads": [], "kind": "encoder", "layer": 0,
    "picked": {"head": 0, "query": 1, "key": 2, "of_query": 0, "of_key": 0},
    "grouped": {"queries": [[0, 1]], "keys": [[0], [1]]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message", "status"),
    [
        ("nothing", {}, 404),
        ("write", {}, 400),
        ("write", {"text": "", "heads": [], "forced": []}, 422),
        ("write", {"text": KINO, "heads": [], "forced": [10**9]}, 422),
        ("pass", _PASS | {"source": []}, 422),
        ("pass", _PASS | {"source": [1] * 5000}, 422),
        ("pass", _PASS | {"source": ["a"]}, 422),
        ("pass", _PASS | {"heads": [{"kind": "cross", "layer": 9, "head": 0, "scale": 0}]}, 422),
        ("pass", _PASS | {"only": ["no such value"]}, 200),
        ("pass", _PASS | {"patches": [{"name": "encoder.input", "row": 0, "vector": [0.0]}]}, 422),
        ("pass", _PASS | {"patches": [{"name": "encoder.input", "row": 10**6, "vector": [0.0] * 144}]}, 422),
        ("pass", _PASS | {"patches": [{"name": "logits", "row": 0, "vector": [0.0] * 144}]}, 422),
        ("analyse", {"analysis": "near_encoder", "data": [1e6], "shape": [1, 1]}, 422),
        ("analyse", {"analysis": "path", "data": [0.0] * 8, "shape": [4, 2]}, 422),
        ("analyse", {"analysis": "lens", "data": [0.0], "shape": [1]}, 422),
        ("analyse", {"analysis": "lens", "data": [0.0], "shape": [-1, 3]}, 400),
        ("analyse", {"analysis": "none", "data": [0.0], "shape": [1]}, 422),
        ("scoreParts", {"kind": "cross", "layer": 3}, 422),
        ("scoreParts", {"kind": "nobody", "layer": 0}, 422),
        ("scoreRow", _ROW, 200),
        ("scoreRow", _ROW | {"layer": "0"}, 422),
        ("scoreRow", _ROW | {"picked": _ROW["picked"] | {"query": 3}}, 422),
        ("scoreRow", _ROW | {"picked": _ROW["picked"] | {"of_key": 2}}, 422),
        ("scoreRow", _ROW | {"picked": {}}, 400),
        ("scoreRow", _ROW | {"grouped": {"queries": [[9]], "keys": [[0]]}}, 422),
        ("scoreRow", _ROW | {"grouped": {"queries": [[0]] * 1000, "keys": [[0]]}}, 422),
    ],
)
def test_a_strange_call_gets_a_sentence(call: str, message: dict, status: int, client: TestClient) -> None:
    answer = client.post(f"/engine/de-en/{call}", json=message)
    assert answer.status_code == status
    if status != 200:
        assert answer.json()["code"] in ("engine_call", "sentence_empty")


def test_no_browser_takes_all_of_the_server(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.CALLS, 2)
    client.cookies.set("glassformer_reader", "a" * 22)
    answers = [client.post("/engine/de-en/encode", json={"text": KINO}) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert answers[-1].json()["code"] == "fair_calls"


def test_a_body_that_is_no_message_is_refused(client: TestClient) -> None:
    assert client.post("/engine/de-en/write", content=b"\xff{").status_code == 400
    assert client.post("/engine/de-en/write", content=b"[]").status_code == 400
