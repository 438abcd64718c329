"""The route that gives a run's data, and the cookie that names who asks."""

import re

import numpy as np
import pytest
from starlette.testclient import TestClient

from model.jobs.types import Progress
from pages.shared.server import cookie
from pages.shared.server.headers import headers
from pages.shared.session import user
from pages.shared.text.words import all_texts
from tests.samples import opened_attention

pytestmark = pytest.mark.usefixtures("warm", "queue")

# the route


def test_the_route_gives_what_is_new(client: TestClient, done: Progress) -> None:
    answer = client.get(f"/runs/{done.id}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert {name: answer.headers[name] for name in headers()} == headers()
    result = answer.json()
    assert (result["state"], result["position"], result["next"], result["steps"]) == (
        "finished",
        0,
        len(done.reports),
        40,
    )
    assert [row["step"] for row in result["reports"]] == list(range(41))
    assert [row["loss"] for row in result["reports"]] == pytest.approx(
        [report.loss for report in done.reports], rel=1e-4
    )
    evaluations = [report for report in done.reports if report.evaluation]
    assert [row["step"] for row in result["reports"] if "validation_loss" in row] == [row.step for row in evaluations]
    last = evaluations[-1].evaluation
    assert last is not None
    newest = result["reports"][-1]
    for name in ("validation_loss", "token_accuracy", "exact_held_out", "exact_training"):
        assert newest[name] == pytest.approx(getattr(last, name), rel=1e-4)
    assert newest["embedding_energy"] == pytest.approx(16 * last.energy.embedding, rel=1e-4)  # as it is added: √d · e
    assert (newest["position_energy"], newest["held_out"], newest["training"]) == (8.0, 2, 22)  # ‖PE‖² = d/2
    assert [(s["output"], s["held_out"], s["right"]) for s in result["samples"]] == [
        (s.output, s.held_out, s.right) for s in last.samples
    ]
    later = client.get(f"/runs/{done.id}?since=39").json()
    assert later["reports"] == result["reports"][39:]
    nothing = client.get(f"/runs/{done.id}?since={result['next']}").json()
    assert (nothing["reports"], "samples" in nothing) == ([], False)


def test_the_route_gives_the_attention_of_the_watched_sentence(client: TestClient, done: Progress) -> None:
    header, weights = opened_attention(client.get(f"/runs/{done.id}/look?language=zh").content)
    assert done.latest is not None
    all_weights = np.concatenate([done.latest.weights[kind].ravel() for kind in ("encoder", "decoder", "cross")])
    assert np.abs(weights - all_weights.astype(float)).max() < 1e-4
    assert header["words"]["wall"] == all_texts("zh")["attention_figure.wall"]
    assert header["panels"][2]["keys"] == list(done.latest.source_tokens)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/runs/nobody", 404), ("/runs/nobody/look", 404), ("/runs/{id}?since=-1", 400), ("/runs/{id}?since=x", 400),
     ("/runs/{id}?since=1e3", 400), ("/runs/{id}?since=²", 400), ("/runs/{id}?since=99999999999", 400),
     ("/runs/{id}/look?language=xx", 400), ("/runs/{id}/moments/0?language=xx", 400), ("/runs/{id}/moments/7777", 404),
     ("/runs/nobody/moments/0", 404), ("/runs/{id}/moments/-1", 404), ("/runs/{id}/moments/x", 404),
     ("/runs/..%2f..%2fetc", 404), ("/runs/", 404)],
)  # fmt: skip
def test_junk_is_refused(client: TestClient, done: Progress, path: str, status: int) -> None:
    answer = client.get(path.replace("{id}", done.id))
    assert answer.status_code == status
    assert client.post(f"/runs/{done.id}").status_code == 405


def test_numbers_that_are_none_are_left_out(client: TestClient, done: Progress) -> None:
    first = client.get(f"/runs/{done.id}").json()["reports"][0]
    assert "seconds_left" not in first  # nobody knows the time left before the first step


async def _page(scope: dict, receive: object, send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b""})


# who reads


def test_a_page_names_its_browser_once_and_renews_the_name() -> None:
    client = TestClient(cookie.UserCookie(_page))  # type: ignore[arg-type]
    html = {"Accept": "text/html"}
    first = client.get("/", headers=html).headers["set-cookie"]
    assert re.match(rf"{user.NAME}=[\w-]{{22}}; .*HttpOnly; SameSite=Lax", first)
    assert client.get("/train", headers=html).headers["set-cookie"] == first  # for another day
    other = TestClient(cookie.UserCookie(_page))  # type: ignore[arg-type]
    assert "set-cookie" not in other.get("/runs/x", headers={"Accept": "*/*"}).headers
    assert "set-cookie" in other.get("/", headers=html | {"Cookie": f"{user.NAME}=../x"}).headers
    assert other.get("/", headers=html).headers.get("set-cookie", first) != ""


def test_two_browsers_have_two_names() -> None:
    names = {
        TestClient(cookie.UserCookie(_page)).get("/", headers={"Accept": "text/html"}).cookies[user.NAME]  # type: ignore[arg-type]
        for _ in range(3)
    }
    assert len(names) == 3
