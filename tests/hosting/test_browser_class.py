"""`python -m hosting`: a class on two processes behind HAProxy, one of which is killed."""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from classroom.database import VARIABLE
from hosting.proxy import configuration, health_path
from pages.admin import access
from tests.browser import EN, PATIENCE, Contexts, Visits, idle
from tests.pages.classroom.test_browser import bar, joined, started
from tests.pages.train import test_browser
from tests.samples import BUCH, ROOT
from tests.server import until_it_says

TOKEN = "a-token-for-the-class"
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
needs_haproxy = pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed")


@needs_haproxy
@pytest.mark.parametrize("base", ["", "/class/one/"])
@pytest.mark.parametrize("address", ["*", "127.0.0.1"])
def test_haproxy_reads_the_configuration(tmp_path: Path, address: str, base: str) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text(configuration(address, 8501, [18501, 18502], None, base))
    subprocess.run([str(HAPROXY), "-c", "-f", str(file)], check=True, capture_output=True)
    assert f"option httpchk GET {health_path(base)}" in file.read_text()


@needs_haproxy
def test_with_a_certificate_the_cookie_of_the_proxy_goes_by_https_only(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    certificate.write_text(certificate.read_text() + key.read_text())
    file = tmp_path / "haproxy.cfg"
    file.write_text(configuration("*", 8443, [18501], certificate, ""))
    process = subprocess.run([str(HAPROXY), "-c", "-f", str(file)], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "secure" in re.findall(r"cookie glassformer_process.*", file.read_text())[0]


class Echo(BaseHTTPRequestHandler):
    """A process of the app, as the proxy sees it."""

    protocol_version = "HTTP/1.1"  # else HAProxy packs nothing
    answers: ClassVar = {  # by path: headers and body
        "/plain": ({"Content-Type": "text/html; charset=utf-8"}, b"long " * 1000),
        "/packed": ({"Content-Type": "text/javascript", "Content-Encoding": "gzip"}, gzip.compress(b"long " * 1000)),
        "/picture": ({"Content-Type": "image/png"}, bytes(5000)),
        "/font": ({"Content-Type": "font/woff2"}, bytes(5000)),
    }

    def do_GET(self) -> None:
        headers, body = self.answers.get(self.path, ({}, b""))
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def proxied(folder: Path, **changes: str) -> Iterator[int]:
    """A port on which HAProxy stands before one such process, with `changes` to its configuration."""
    process = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=process.serve_forever, daemon=True).start()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    text = configuration("127.0.0.1", port, [process.server_port], None, "")
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    file = folder / "haproxy.cfg"
    file.write_text(text)
    proxy = subprocess.Popen([str(HAPROXY), "-db", "-f", str(file)], stderr=subprocess.DEVNULL)
    try:
        until_it_answers(port)
        yield port
    finally:
        proxy.terminate()
        proxy.wait()
        process.shutdown()


def until_it_answers(port: int) -> None:
    end = time.monotonic() + 30
    while status_of(port, "/") != 200:
        assert time.monotonic() < end
        time.sleep(0.05)


def status_of(port: int, path: str) -> int:
    """The status for a path exactly as it is written; 0 where nobody answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.putrequest("GET", path, skip_host=False)
        connection.endheaders()
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


@needs_haproxy
def test_no_spelling_of_the_path_shows_what_a_process_tells_of_itself(tmp_path: Path) -> None:
    with proxied(tmp_path) as port:
        spellings = ["/_stcore/metrics", "/_stcore/metrics?x=1", "/_stcore/%6detrics", "/%5Fstcore%2Fmetrics"]
        spellings += ["//_stcore/metrics", "/_STCORE/../_stcore/metrics"]
        assert [status_of(port, path) for path in spellings] == [404] * len(spellings)
        assert status_of(port, "/_stcore/health") == 200


@needs_haproxy
def test_the_proxy_packs_text_that_comes_plain_and_nothing_else(tmp_path: Path) -> None:
    with proxied(tmp_path) as port:
        for path, (headers, body) in Echo.answers.items():
            request = Request(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "gzip"})
            with urlopen(request, timeout=10) as answer:
                sent, encoding = answer.read(), answer.headers["Content-Encoding"]
            if path == "/plain":
                assert encoding == "gzip"
                assert gzip.decompress(sent) == body
                assert "accept-encoding" in answer.headers["Vary"].lower()
            else:
                assert (sent, encoding) == (body, headers.get("Content-Encoding"))


@needs_haproxy
def test_one_address_does_not_take_all_connections(tmp_path: Path) -> None:
    with proxied(tmp_path, **{"sc0_conn_cur gt 2048": "sc0_conn_cur gt 3"}) as port:
        held: list[socket.socket] = []
        attempts = 0
        while status_of(port, "/") == 200:
            attempts += 1
            assert attempts < 10
            with suppress(ConnectionResetError):  # the connection that asked for the status may still count
                held.append(socket.create_connection(("127.0.0.1", port), timeout=10))
        for connection in held:
            connection.close()
        until_it_answers(port)


@pytest.fixture(scope="module")
def hosted() -> Iterator[str]:
    """A class of two processes; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = 10_000 + probe.getsockname()[1] % 12_000  # with its processes below the ports that Linux gives away
    files = tempfile.mkdtemp(prefix="glassformer-hosted-")
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE} | {access.VARIABLE: TOKEN}
    process = subprocess.Popen(
        [sys.executable, "-m", "hosting", "--port", str(port), "--address", "127.0.0.1", "--processes", "2"],
        cwd=ROOT, env=environment | {"TMPDIR": files}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        until_it_says(process, "A class of Glassformer")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # they would wait until no browser asks for news any more
        process.communicate()
        shutil.rmtree(files, ignore_errors=True)


@pytest.fixture
def both(hosted: str) -> str:
    """The class's address, once the proxy has found both processes; also that which an earlier test has killed."""
    results, end = set[str](), time.monotonic() + 240  # beside other tests a process takes a minute to start
    while len(results) < 2:
        assert time.monotonic() < end, results
        with suppress(OSError), urllib.request.urlopen(hosted, timeout=10) as answer:  # for a moment none answers
            results.update(re.findall(r"process\d", answer.headers["set-cookie"]))
    return hosted


def process_of(page: Page) -> str:
    """The name of the process that serves this browser."""
    return next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "glassformer_process")


def move(page: Page, name: str) -> None:
    """Let that process serve this browser from now on."""
    cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == "glassformer_process")
    page.context.add_cookies([{"name": cookie["name"], "value": name, "domain": cookie["domain"], "path": "/"}])
    page.reload()
    expect(idle(page).locator(".gf-class-bar[data-ready]")).to_be_visible()
    assert process_of(page) == name


def kill(address: str, name: str) -> None:
    """Kill that process without a word."""
    port = int(address.rpartition(":")[2]) + 10_000 + int(name.removeprefix("process")) - 1
    process = subprocess.run(["pgrep", "-f", f"server.port {port} "], capture_output=True, text=True, check=True)
    for number in process.stdout.split():
        os.kill(int(number), signal.SIGKILL)


@pytest.mark.thorough
@needs_haproxy
def test_one_process_tells_of_both(both: str) -> None:
    request = urllib.request.Request(f"{both}/admin/status", headers={"Authorization": f"Bearer {TOKEN}"})
    names, end = set[str](), time.monotonic() + 60  # the first reports come after some seconds
    while len(names) < 2:
        assert time.monotonic() < end, names
        with urllib.request.urlopen(request) as answer:
            names = set(json.load(answer)["processes"])
    port = int(both.rpartition(":")[2])
    assert {int(name.rpartition(":")[2]) for name in names} == {port + 10_000, port + 10_001}


@pytest.mark.thorough
@needs_haproxy
def test_one_process_makes_the_files_of_a_live_page_for_both(both: str) -> None:
    """No request waits for them until the proxy ends it."""

    def ask(name: str, method: str, **headers: str) -> tuple[int, str]:
        cookie = {"Cookie": f"glassformer_process={name}", "Accept": "text/html"}
        request = Request(f"{both}/live/reverse/", headers=cookie | headers, method=method)
        with urlopen(request, timeout=50) as answer:  # raises for an error
            return answer.status, answer.headers.get("ETag", "")

    tags, end = set[str](), time.monotonic() + 300
    for name in ("process1", "process2"):
        while (answer := ask(name, "HEAD", Prefer="wait"))[0] == 202:
            assert time.monotonic() < end
        assert answer == ask(name, "GET")
        tags.add(answer[1])
    assert len(tags) == 1
    made = Path(tempfile.gettempdir()).glob("glassformer-hosted-*/glassformer-class-*/reverse-*")
    assert [file.suffix for file in made if file.suffix != ".lock"] == [""]


@needs_haproxy
def test_a_class_goes_on_when_a_process_is_killed(both: str, contexts: Contexts) -> None:
    visits = Visits(contexts, both)
    teacher, link = started(visits)
    student = joined(visits, link, "S")
    other = next(name for name in ("process1", "process2") if name != process_of(teacher))
    move(student, other)
    kill(both, other)
    start = time.monotonic()
    teacher.locator(".gf-board").get_by_label(EN["board.question"], exact=True).fill("Still here?")
    teacher.locator(".gf-board").get_by_role("button", name=EN["board.ask"], exact=True).click()
    student.get_by_label(EN["class_bar.answer"], exact=True).fill("yes")
    bar(student, EN["class_bar.send"]).click()
    expect(teacher.locator(".gf-bars li")).to_have_text(f"yes1{EN['board.hide']}")
    print(f"answers after {time.monotonic() - start:.1f} s")
    student.goto(f"{both}/attention?sentence={BUCH}")  # and its page works, on the other process
    expect(idle(student).locator(".gf-class-bar[data-ready]")).to_be_visible()
    expect(student.locator(".gf-attention")).to_be_visible()
    for watch in visits.watches.values():  # while nobody answers, the browser itself writes errors
        watch.errors.clear()
    visits.end()


def database_of(address: str) -> Path:
    """The file of the classes, in the folder of temporary files of the server."""
    [file] = Path(tempfile.gettempdir()).glob(f"glassformer-hosted-*/*-{address.rpartition(':')[2]}.sqlite")
    return file


@pytest.mark.thorough
@needs_haproxy
def test_nothing_is_lost_and_no_page_waits_while_the_database_is_locked(both: str, contexts: Contexts) -> None:
    visits = Visits(contexts, both)
    teacher, link = started(visits)
    students = [joined(visits, link, f"S{number}") for number in range(2)]
    teacher.locator(".gf-board").get_by_label(EN["board.question"], exact=True).fill("Still here?")
    teacher.locator(".gf-board").get_by_role("button", name=EN["board.ask"], exact=True).click()
    for page in students:
        page.goto(f"{both}/attention?sentence={BUCH}&language=en")
        expect(idle(page).locator(".gf-class-bar[data-ready]")).to_be_visible()
        expect(page.get_by_label(EN["class_bar.answer"], exact=True)).to_be_visible()
    with closing(sqlite3.connect(database_of(both), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        for number, page in enumerate(students):
            page.get_by_label(EN["class_bar.answer"], exact=True).fill("yes")
            bar(page, EN["class_bar.send"]).click()
            page.get_by_label(EN["frame.sentence"], exact=True).fill(f"Ich habe {number + 2} Hunde.")
            page.get_by_label(EN["frame.sentence"], exact=True).press("Enter")
            expect(page).to_have_url(re.compile("Hunde"))
            expect(idle(page).locator(".gf-attention")).to_be_visible()
        print(f"pages were drawn after {time.monotonic() - start:.1f} s")
        for page in students:
            expect(page.locator(".gf-class-bar .gf-problem")).to_have_text(EN["class_bar.waiting"])
        other.execute("ROLLBACK")
    expect(teacher.locator(".gf-asked .gf-bars li")).to_have_text(f"yes2{EN['board.hide']}")
    for number in range(2):
        expect(teacher.locator(".gf-board")).to_contain_text(f"Ich habe {number + 2} Hunde.")
    for watch in visits.watches.values():  # the browser's own lines about the refusals
        watch.errors.clear()
    visits.end()


@pytest.mark.thorough
@needs_haproxy
def test_a_page_comes_back_by_itself_when_its_process_is_killed(both: str, contexts: Contexts) -> None:
    visits = Visits(contexts, both)
    page = visits(f"/attention?sentence={BUCH}&head=3&language=en")
    expect(page.locator(".gf-attention")).to_have_attribute("data-locked-head", "3")
    name = process_of(page)
    kill(both, name)
    start = time.monotonic()
    expect(page.locator("[data-testid=stApp]")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    idle(page)
    print(f"connected again after {time.monotonic() - start:.1f} s")
    page.get_by_label(EN["frame.sentence"], exact=True).fill("Ich habe einen Hund.")
    page.get_by_label(EN["frame.sentence"], exact=True).press("Enter")
    expect(page).to_have_url(re.compile("Hund"))
    expect(idle(page).locator(".gf-attention")).to_have_attribute("data-locked-head", "3")
    for watch in visits.watches.values():
        watch.errors.clear()
    visits.end()


@pytest.mark.thorough
@needs_haproxy
def test_a_training_is_seen_and_stopped_from_the_other_process_when_its_own_is_killed(
    both: str, contexts: Contexts
) -> None:
    visits = Visits(contexts, both)
    page = visits(test_browser.LONG)
    run = test_browser.started(page)
    test_browser.moves(page)
    name = process_of(page)
    kill(both, name)
    expect(page.locator("[data-testid=stApp]")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    page.goto(f"{both}/train?language=en&run={run}")
    assert process_of(idle(page)) != name
    test_browser.moves(page)  # as it was saved
    test_browser.press(page, "train.stop")  # done by the process that is started again
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "stopped", timeout=4 * PATIENCE)
    for watch in visits.watches.values():
        watch.errors.clear()
    visits.end()
