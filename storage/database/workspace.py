"""A workspace: one folder with the database, the corpus, the index, the cache and the exports."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, bindparam, insert, inspect, select

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.database.copy_before_upgrade import keep_copy
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import (
    DATABASE_NAME,
    existing_engine,
    is_workspace,
    lost_database,
    new_engine,
    require_same,
    write_elsewhere,
)
from pagetrail.storage.database.private_files import FOLDER_MODE, is_private, make_private
from pagetrail.storage.database.served import no_server
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.files.bucket import Bucket
from pagetrail.storage.files.location import FILES_URL, files_address

FILES_KEY = "files"
"""In ``meta`` where the files are in a bucket; its value is ``IN_BUCKET``."""
IN_BUCKET = "bucket"
_META = select(Meta.value).where(Meta.key == bindparam("key"))
_SECRET = select(Meta.value).where(Meta.key == "secret")
_FOLDERS = ("corpus", "index", "cache", "exports")
_MIGRATIONS = Path(__file__).parent / "migrations"


def workspace_secret(connection: Connection) -> str:
    """The workspace's random secret, which nobody is shown.

    Raises:
        WorkspaceError: it is lost.
    """
    secret = connection.execute(_SECRET).scalar_one_or_none()
    if not secret:
        raise WorkspaceError(
            gettext(
                "The workspace has lost its secret, so answers cannot be numbered for blind "
                "judging. Restore a backup."
            )
        )
    return str(secret)


@dataclass(frozen=True)
class Workspace:
    """An opened workspace.

    Attributes:
        root: the folder.
        engine: its database, migrated to this program's schema.
        files: the bucket that its files are in, of which the folder has copies; None where the
            folder has all there is.
    """

    root: Path
    engine: Engine
    files: Bucket | None = None

    @property
    def corpus_dir(self) -> Path:
        """PDF files as ``<sha256>.pdf``."""
        return self.root / "corpus"

    @property
    def index_dir(self) -> Path:
        """Search indexes, one folder per identity."""
        return self.root / "index"

    @property
    def cache_dir(self) -> Path:
        """Rendered pages; may be deleted at any time."""
        return self.root / "cache"

    @property
    def exports_dir(self) -> Path:
        """The default folder for exports."""
        return self.root / "exports"

    def meta(self, key: str) -> str | None:
        """A stored fact about the workspace, or None."""
        with self.engine.connect() as connection:
            return connection.execute(_META, {"key": key}).scalar()

    @staticmethod
    def create(root: Path, address: str | None = None, files_url: str | None = None) -> Workspace:
        """Create a workspace in an empty or new folder, which only its owner may read.

        Args:
            address: of an empty PostgreSQL database; without one, the folder gets its own.
            files_url: of a bucket for its files; without one, they are in the folder.

        Raises:
            WorkspaceError: the folder, the database or the bucket already holds a workspace or
                something else.
            StorageError: the bucket does not answer.
        """
        if is_workspace(root):
            raise WorkspaceError(
                f"{root} is already a workspace. Use it as it is, or choose another folder."
            )
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise WorkspaceError(f"{root} is not an empty folder. Choose a new or empty one.")
        id_ = secrets.token_hex(8)
        files = None if files_url is None else Bucket(files_url, id_)
        if files is not None:
            files.claim()
        _make_folders(root)
        engine = new_engine(root, address)
        migrate(engine)
        make_private(root)
        with write_transaction(engine) as connection:
            if connection.execute(select(Meta.key)).first() is not None:
                raise WorkspaceError("The database has a workspace already. Choose an empty one.")
            connection.execute(
                insert(Meta),
                [
                    {"key": "workspace_id", "value": id_},
                    {"key": "secret", "value": secrets.token_urlsafe(32)},
                    *([{"key": FILES_KEY, "value": IN_BUCKET}] if files is not None else []),
                ],
            )
            if engine.dialect.name != "sqlite":
                write_elsewhere(root, id_)
        return Workspace(root, engine, files)

    @staticmethod
    def join(root: Path, address: str | None) -> bool:
        """Make an empty or new folder one more of a workspace: its database and bucket are there.

        Args:
            address: of its PostgreSQL database.

        Returns:
            Whether there is such a workspace and the folder was empty.
        """
        if address is None or (root.exists() and (not root.is_dir() or any(root.iterdir()))):
            return False
        engine = new_engine(root, address)
        with engine.connect() as connection:
            facts: dict[str, str] = {}
            if inspect(connection).has_table(Meta.__table__.name):
                rows = connection.execute(select(Meta.key, Meta.value))
                facts = {row.key: row.value for row in rows}
        engine.dispose()
        if facts.get(FILES_KEY) != IN_BUCKET:
            return False
        _make_folders(root)
        make_private(root)
        write_elsewhere(root, facts["workspace_id"])
        return True

    @staticmethod
    def open(root: Path, files_url: str | None = None) -> Workspace:
        """Open an existing workspace, bringing an older schema and open permissions up to date.

        Args:
            files_url: of the bucket its files are in, if they are; else the environment's.

        Raises:
            WorkspaceError: not a workspace, one whose database is lost, or elsewhere than the
                environment says, as its files may be, or one written by a newer program or before
                the baseline.
        """
        engine = existing_engine(root)
        with engine.connect() as connection:
            if _schema(connection) is None:
                is_own = engine.dialect.name == "sqlite"
                raise lost_database(
                    str(root / DATABASE_NAME) if is_own else f"The database of {root}"
                )
        for name in _FOLDERS:
            (root / name).mkdir(mode=FOLDER_MODE, exist_ok=True)
        if not is_private(root):
            make_private(root)
        migrate(engine)
        workspace = Workspace(root, engine)
        if engine.dialect.name != "sqlite":
            require_same(root, workspace.meta("workspace_id"))
        if workspace.meta(FILES_KEY) != IN_BUCKET:
            return workspace
        if (files_url := files_url or files_address()) is None:
            raise WorkspaceError(
                f"The files of {root} are in a bucket. Set {FILES_URL} to its address."
            )
        return replace(workspace, files=Bucket(files_url, workspace.meta("workspace_id") or ""))


def _make_folders(root: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    for name in _FOLDERS:
        (root / name).mkdir(mode=FOLDER_MODE)


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _migration_scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_alembic_config())


def _schema(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def migrate(engine: Engine) -> None:
    """Bring a database to this program's schema; several processes may do so at once.

    Servers of an older version do not know the new schema, so none may run meanwhile or after it.
    A database with an older schema is copied first (``storage.database.copy_before_upgrade``); its
    upgrade is one transaction.

    Raises:
        WorkspaceError: a newer program or a development version before the baseline wrote it, or
            a server of an older version runs.
        StorageError: it could not be copied.
    """
    script = _migration_scripts()
    with engine.connect() as connection:
        current = _schema(connection)
    if current == script.get_current_head():
        return
    if current is not None and current not in {s.revision for s in script.walk_revisions()}:
        if current < str(script.get_base()):  # four digits each
            raise WorkspaceError(
                f"The database has schema {current}, of a development version from before the "
                "first release, which this version of Pagetrail does not open. Nothing was "
                "changed. Export its data with the version that wrote it, then make a new "
                "workspace."
            )
        raise WorkspaceError(
            f"The database has schema {current}, which this version of Pagetrail does not know. "
            "Install the version that wrote it, or a newer one."
        )
    with write_transaction(engine) as connection, no_server(connection) as nobody_serves:
        current = _schema(connection)
        if current == script.get_current_head():
            return  # by another process, which may be a server by now
        if current is not None and not nobody_serves:
            raise WorkspaceError(
                f"A server of an older version of Pagetrail runs on this workspace (schema "
                f"{current}; this version needs {script.get_current_head()}). Nothing was changed. "
                "Stop all of its servers, then start this version.",
                code="workspace_in_use",
            )
        if current is not None:
            keep_copy(engine, current)
        config = _alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
