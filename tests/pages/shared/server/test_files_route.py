"""Downloads: who asks for many at once waits, and a file that cannot be made gets one sentence."""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from model.errors import InvalidInput
from pages.shared.load import fair_use
from pages.shared.server.routes import files_route
from pages.shared.session import language_choice
from pages.shared.text.words import all_texts, refusal
from pages.shared.ui.downloads import file_menu
from tests.samples import LANGUAGES

LONG = 30.0  # seconds, after which a test has failed


def offer(token: str, make: Callable[[], bytes], language: str = "en") -> str:
    """The address of a file that the session of this token offers."""
    file = file_menu.File("x", "X", "x.csv", "text/csv", make, language)
    file_menu._sessions[token] = file_menu.Offered(token, "start", {"x": file})
    return f"{file_menu.PATH}/{token}/x"


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(Starlette(routes=[files_route.ROUTE])) as client:
        yield client
    for token in ("ada", "ben"):
        file_menu._sessions.pop(token, None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_for_many_files_at_once_is_told_and_others_get_theirs(client: TestClient, language: str) -> None:
    made = 0

    def make() -> bytes:
        nonlocal made
        made += 1
        assert end.wait(LONG)
        return b"x"

    end, address, other = threading.Event(), offer("ada", make, language), offer("ben", lambda: b"his")
    with ThreadPoolExecutor(files_route.AT_ONCE) as pool:
        asked = [pool.submit(client.get, address) for _ in range(files_route.AT_ONCE)]
        while sum(files_route._making.values()) < files_route.AT_ONCE:
            time.sleep(0.001)
        refused = client.get(address)
        assert (refused.status_code, refused.text) == (429, all_texts(language)["notice.files_busy"])
        end.set()
        assert {each.result(LONG).content for each in asked} == {b"x"}
    assert made == files_route.AT_ONCE
    assert client.get(other).content == b"his"
    assert not files_route._making


def test_downloads_of_a_minute_are_counted(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fair_use.PER_MINUTE, fair_use.FILES, 2)
    monkeypatch.setattr(fair_use, "_limiter", type(fair_use._limiter)(type(fair_use._limiter.storage)()))
    address = offer("ada", lambda: b"x")
    assert [client.get(address).status_code for _ in range(3)] == [200, 200, 409]
    with language_choice.speaking("en"):
        sentences = {refusal(InvalidInput("fair_files", limit=2, seconds=seconds)) for seconds in range(1, 61)}
    assert client.get(address).text in sentences
    assert client.get(offer("ben", lambda: b"x")).status_code == 200


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("error", "key"),
    [(OSError(errno.ENOSPC, "full"), "disk_full"), (OSError(errno.EACCES, "secret"), "unforeseen"),
     (ValueError("secret"), "unforeseen")],
)  # fmt: skip
def test_what_cannot_be_made_gets_one_sentence(client: TestClient, error: Exception, key: str, language: str) -> None:
    def make() -> bytes:
        raise error

    answer = client.get(offer("ada", make, language))
    assert (answer.status_code, answer.text) == (500, all_texts(language)[f"notice.{key}"])
