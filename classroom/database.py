"""The database: SQLite in a file of this machine, or what `GLASSFORMER_DATABASE` names."""

from __future__ import annotations

import getpass
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

VARIABLE = "GLASSFORMER_DATABASE"
MIGRATIONS = Path(__file__).parent / "migrations"
FAILURES = (SQLAlchemyError, OSError, ImportError)  # what a database that does not answer raises
WAIT = 5  # seconds for a lock that another process holds, for a connection, and for the answer
_POSTGRESQL = {"connect_timeout": WAIT, "options": f"-c statement_timeout={WAIT}s"}
_MIGRATING = 7_301_915  # number of PostgreSQL's lock: servers that start together migrate one after the other


def address(port: str) -> URL:
    """Where the classes of the server on `port` are kept."""
    if setting := os.environ.get(VARIABLE, "").strip():
        url = make_url(setting)
        return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url
    return URL.create("sqlite", database=str(default_file(port)))


def default_file(port: str) -> Path:
    """The file of the server on `port`, which its next start finds again."""
    return Path(tempfile.gettempdir()) / f"glassformer-rooms-{getpass.getuser()}-{port}.sqlite"


def exists(port: str) -> bool:
    """Whether there may be classes already."""
    return bool(os.environ.get(VARIABLE, "").strip()) or default_file(port).exists()


def connect(url: URL) -> Engine:
    """The engine, with all tables as this version has them. Raises one of `FAILURES` where there is no database."""
    if url.get_backend_name() != "sqlite":
        arguments = _POSTGRESQL if url.get_backend_name() == "postgresql" else {}
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=5, max_overflow=10, pool_timeout=WAIT, connect_args=arguments
        )
    else:
        if url.database and url.database != ":memory:":
            os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, 0o600))  # for this user only
        engine = create_engine(url, connect_args={"timeout": WAIT})
        event.listen(engine, "connect", _sqlite)
        event.listen(engine, "begin", _begin)
    migrate(engine, command.upgrade, "head")
    return engine


def migrate(engine: Engine, way: Callable[[Config, str], None], revision: str) -> None:
    """Bring the tables to a revision; `way` is alembic's command.

    SQLite makes a table anew to change it. With foreign keys, what belongs to the old one would be deleted with it.
    """
    writing = engine.execution_options(writes=True)
    with writing.connect() as connection, _without_foreign_keys(connection), connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        way(config, revision)


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """SQLite changes this setting only outside of a transaction."""
    cursor = connection.connection.cursor() if connection.dialect.name == "sqlite" else None
    try:
        if cursor:
            cursor.execute("PRAGMA foreign_keys=OFF")
        yield
    finally:
        if cursor:
            cursor.execute("PRAGMA foreign_keys=ON")


def _sqlite(connection, _record) -> None:  # type: ignore[no-untyped-def]
    """Several processes may read while one writes, and what belongs to a class goes with it."""
    connection.isolation_level = None  # `_begin` begins
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Begin a transaction; a writer waits for the lock at once, because SQLite refuses one who has read before."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
