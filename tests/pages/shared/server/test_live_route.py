"""Live pages of the server: their files, what cannot be had, and a model that the server computes."""

import json
import re
from collections.abc import Iterator

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from live import pages
from model.decode.translate import translate
from pages.shared.load import fair_use
from pages.shared.server.routes import engine_route, live_route
from tests.samples import KINO, german_english


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[engine_route.ROUTE, *live_route.ROUTES])) as client:
        yield client
    live_route._files.cache_clear()


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


@pytest.mark.parametrize("path", ["nothing/", "forecast/", "reverse/models/none.gz", "reverse/%2e%2e%2fapp.py"])
def test_what_is_not_there_is_said(path: str, client: TestClient) -> None:
    answer = client.get(f"/live/{path}")
    assert answer.status_code in (404, 409)
    assert "Traceback" not in answer.text
    assert len(answer.text) > 20


def test_a_large_model_is_computed_by_the_server(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LARGEST", 1000)
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
        ("analyse", {"analysis": "lens", "data": [0.0], "shape": [1]}, 422),
        ("analyse", {"analysis": "lens", "data": [0.0], "shape": [-1, 3]}, 400),
        ("analyse", {"analysis": "none", "data": [0.0], "shape": [1]}, 422),
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
