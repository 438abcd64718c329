"""A database for each test, SQLite in a file and PostgreSQL where it is installed, and a class in it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, func, make_url, select, text

from classroom import database, keys
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Base
from model.errors import InvalidInput
from tests.samples import empty_database

TEACHER, ADA, BEN = (keys.key_of(name) for name in ("teacher", "ada", "ben"))


def refused(code: str):
    return pytest.raises(InvalidInput, check=lambda error: error.code == code)


def count(classrooms: Classrooms, table: type[Base]) -> int:
    with classrooms.reading() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _programs() -> Path | None:
    """The folder of PostgreSQL's server programs."""
    results = [Path(path).parent for path in [shutil.which("initdb")] if path]
    results += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in results if (folder / "initdb").exists()), None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A server of our own that listens on a socket only; gives its address."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed")
    folder = Path(tempfile.mkdtemp(prefix="gf-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(programs / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    run("initdb", "-D", str(data), "--auth=trust", "--username=rooms", "--no-sync")
    settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", settings, "start")
    try:
        yield f"postgresql+psycopg://rooms@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def template(postgres: str) -> str:
    """A database of that server with all tables, to be copied: that takes a tenth of the time of migrating one."""
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("CREATE DATABASE template_of_tests"))
    engine.dispose()
    database.connect(make_url(postgres).set(database="template_of_tests")).dispose()
    return "template_of_tests"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database."""
    if request.param == "sqlite":
        engine = database.connect(make_url(f"sqlite:///{empty_database(tmp_path / 'rooms.sqlite')}"))
    else:
        url, template = make_url(request.getfixturevalue("postgres")), request.getfixturevalue("template")
        copying = create_engine(url, isolation_level="AUTOCOMMIT")
        with copying.connect() as connection:
            connection.execute(text("DROP DATABASE IF EXISTS of_a_test WITH (FORCE)"))
            connection.execute(text(f"CREATE DATABASE of_a_test TEMPLATE {template}"))
        copying.dispose()
        engine = database.connect(url.set(database="of_a_test"))
    yield engine
    engine.dispose()


@pytest.fixture
def classrooms(engine: Engine, clock: Clock) -> Classrooms:
    return Classrooms(engine, clock)


@pytest.fixture
def teacher(classrooms: Classrooms) -> Membership:
    return classrooms.create(TEACHER, "Attention")


@pytest.fixture
def ada(classrooms: Classrooms, teacher: Membership) -> Membership:
    return classrooms.join(ADA, teacher.code, "Ada")
