"""Report to an administrator: only with the token, with numbers that are right, of all processes."""

import threading
import time
from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from classroom import keys, processes
from classroom.classrooms import Classrooms
from classroom.database import VARIABLE
from model.errors import InvalidInput
from pages.admin import access, all_processes, report, report_route
from pages.shared.classroom import my_class
from pages.shared.load import counts, fair_use
from pages.shared.load.fair_lock import hold
from pages.shared.text.words import all_texts
from tests.app import visit
from tests.pages.classroom.conftest import forget, store

__all__ = ["store"]
TOKEN = "a token of an administrator"
RIGHT = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(access.VARIABLE, TOKEN)
    access.token.cache_clear()
    yield
    monkeypatch.undo()
    access.token.cache_clear()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=report_route.ROUTES))


def own(client: TestClient) -> dict:
    return client.get("/admin/status", headers=RIGHT).json()["processes"][report.process_name()]


def metrics(client: TestClient) -> dict[tuple[str, ...], float]:
    """By name and the values of the labels, in the order of the labels' names."""
    text = client.get("/metrics", headers=RIGHT).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value for sample in samples}


@pytest.mark.parametrize("path", ["/admin/status", "/metrics"])
@pytest.mark.parametrize("sent", ["", TOKEN, "Bearer ", f"Bearer {TOKEN} ", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}"])
def test_a_wrong_token_learns_nothing(client: TestClient, path: str, sent: str) -> None:
    answer = client.get(path, headers={"Authorization": sent.encode()})
    assert (answer.status_code, answer.text) == (401, "Unauthorized")


def test_without_the_setting_there_is_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(access.VARIABLE, "")
    access.token.cache_clear()
    for path in ("/admin", "/admin/status", "/metrics"):
        assert client.get(path, headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("named", ["short", "ein Schlüssel mit Umlaut"])
def test_a_token_that_can_be_guessed_is_refused(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(access.VARIABLE, named)
    access.token.cache_clear()
    with pytest.raises(ValueError, match="at least 16 ASCII"):
        access.token()


def test_an_address_below_its_own_is_left_to_the_app(client: TestClient) -> None:
    assert client.get("/admin/masks").status_code == 404


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_says_no_number_before_the_token(client: TestClient, language: str) -> None:
    answer = client.get("/admin", params={"language": language})
    assert all_texts(language)["admin.title"] in answer.text
    assert TOKEN not in answer.text


def test_runs_refusals_and_errors_are_counted(client: TestClient, store: Classrooms) -> None:
    before, name = metrics(client), report.process_name()
    lately = own(client)["lately"]["runs"]
    with hold():
        time.sleep(0.12)
    for _ in range(fair_use.PER_MINUTE[fair_use.CODES]):
        fair_use.take(fair_use.CODES, "somebody of this test")
    with pytest.raises(InvalidInput):
        fair_use.take(fair_use.CODES, "somebody of this test")
    try:
        report.psutil.Process(-1)  # fails in a library: the place is ours
    except ValueError as error:
        counts.failed(error)
    after, own_report = metrics(client), own(client)
    growth = {key: after[key] - before.get(key, 0.0) for key in after}
    assert growth["glassformer_page_seconds_count", name] == 1
    assert 0.12 <= growth["glassformer_page_seconds_sum", name] < 1
    assert (growth["glassformer_page_seconds_bucket", "0.1", name], own_report["lately"]["runs"]) == (0, lately + 1)
    assert growth["glassformer_page_seconds_bucket", "+Inf", name] == 1
    assert growth["glassformer_refusals_total", "codes", name] == 1
    assert growth["glassformer_errors_total", name] == 1
    assert own_report["failures"][-1]["type"] == "ValueError"
    assert own_report["failures"][-1]["place"].startswith("tests/pages/admin/test_admin.py:")
    assert own_report["lately"]["took"] <= own_report["lately"]["whole"]
    assert own_report["memory"] > 50e6
    assert own_report["cpu"] > 0


def test_each_page_tells_its_own_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_counts", counts._Counts())
    for wait, took, page in [(0.0, 0.1, "masks"), (2.0, 0.3, "why"), (0.0, 0.2, "masks")]:
        counts.drawn(wait, took, page)
    assert own(client)["pages"] == {"masks": {"runs": 2, "whole": 0.2}, "why": {"runs": 1, "whole": 2.3}}
    assert metrics(client)["glassformer_page_p95_seconds", "why", report.process_name()] == 2.3
    visit("masks")
    assert own(client)["pages"]["masks"]["runs"] > 2


def test_classes_are_counted_without_their_codes(client: TestClient, store: Classrooms) -> None:
    for name in ("admin one", "admin two"):
        teacher = store.create(keys.key_of(name), "Secret title")
    store.join(keys.key_of("admin ada"), teacher.code, "Ada Lovelace")
    answer = client.get("/admin/status", headers=RIGHT)
    classrooms = answer.json()["rooms"]
    assert [(classroom["members"], classroom["present"], classroom["sentences"]) for classroom in classrooms] == [
        (1, 1, 0),
        (2, 2, 0),
    ]
    for private in ("Secret", "Ada", teacher.code):
        assert private not in answer.text
    store.end(teacher)
    assert metrics(client)["glassformer_classes",] == 1
    assert metrics(client)["glassformer_class_members",] == 1


def test_one_process_tells_of_all_that_run(client: TestClient, store: Classrooms) -> None:
    other = report.report() | {"sessions": 7}
    processes.tell(store, "other:1", other)
    processes.tell(store, "other:1", other | {"sessions": 8})
    clock, store.clock = store.clock, lambda: time.time() - 2 * processes.GONE
    processes.tell(store, "ended:1", other)
    store.clock = clock
    answer = client.get("/admin/status", headers=RIGHT).json()
    assert set(answer["processes"]) == {report.process_name(), "other:1"}
    assert metrics(client)["glassformer_sessions", "other:1"] == 8


def test_the_queue_of_a_cluster_is_counted_once(client: TestClient, store: Classrooms) -> None:
    for name, queue in (("one:1", "cluster"), ("two:1", "cluster"), ("three:1", "three:1")):
        processes.tell(store, name, report.report() | {"queue": queue, "runs": {"running": 2}})
    runs = {key: value for key, value in metrics(client).items() if key[0] == "glassformer_training_runs"}
    assert runs == {
        ("glassformer_training_runs", "cluster", "running"): 2,
        ("glassformer_training_runs", "three:1", "running"): 2,
    }


def test_busy_is_measured_over_a_second(client: TestClient, store: Classrooms, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(report.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(report, "_cpu", lambda: 20.0)
    monkeypatch.setattr(report, "_last", (998.0, 17.0, 0.25))
    assert report._busy() == 1.5
    clock[0] += 0.01
    monkeypatch.setattr(report, "_cpu", lambda: 20.01)
    assert report._busy() == 1.5  # a hundredth of a second says nothing


def test_without_a_database_it_tells_of_itself(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "sqlite:////nowhere/at/all.sqlite")
    forget()
    answer = client.get("/admin/status", headers=RIGHT).json()
    forget()
    assert not answer["database"]
    assert set(answer["processes"]) == {report.process_name()}


def test_nobody_is_told_where_nobody_may_ask(monkeypatch: pytest.MonkeyPatch, store: Classrooms) -> None:
    monkeypatch.setattr(all_processes, "EVERY", 0.01)
    end = threading.Event()
    all_processes.tell_regularly(end)
    deadline = time.monotonic() + 10
    while report.process_name() not in processes.reports(my_class.classrooms()):
        assert time.monotonic() < deadline
    end.set()
    monkeypatch.setenv(access.VARIABLE, "")
    access.token.cache_clear()
    before = set(threading.enumerate())
    all_processes.tell_regularly(threading.Event())
    assert "tell-of-this-process" not in {thread.name for thread in set(threading.enumerate()) - before}
