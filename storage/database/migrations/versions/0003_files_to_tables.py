"""Versions of guidelines and states of jobs: what was files beside the database becomes rows.

The files stay where they are and are not read again: removing them is no part of a transaction, and
a backup of the older database still goes with them.
"""

import json
import logging
import re
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import op

from pagetrail.annotation.errors import WorkspaceError

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_VERSION = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)T(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d\.\d{6})Z"
    r"-(?P<by>[A-Za-z0-9_-]+)(?:\.(?P<number>\d+))?"
)
_JOB_TEXTS = ("kind", "title", "by", "started_at", "state", "message", "phase")
_log = logging.getLogger(__name__)


def upgrade() -> None:
    versions = op.create_table(
        "guideline_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_guideline_version_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guideline_version")),
        sa.UniqueConstraint(
            "campaign_id", "name", name=op.f("uq_guideline_version_campaign_id_name")
        ),
    )
    op.create_index(op.f("ix_guideline_version_campaign_id"), "guideline_version", ["campaign_id"])
    jobs = op.create_table(
        "job_state",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_job_state")),
    )
    if op.get_bind().dialect.name != "sqlite":  # only SQLite's workspaces are that old
        return
    root = Path(op.get_bind().engine.url.database or "").parent
    if found := _versions(root / "guidelines"):
        op.bulk_insert(versions, found)
    if states := _jobs(root / "jobs"):
        op.bulk_insert(jobs, states)


def _versions(folder: Path) -> list[dict[str, Any]]:
    """The versions of all campaigns, those of each the oldest first.

    Raises:
        WorkspaceError: a version cannot be read; nothing is changed.
    """
    bind = op.get_bind()
    pseudonyms = bind.execute(sa.text("SELECT pseudonym FROM user_account")).scalars()
    authors = {re.sub("[^A-Za-z0-9-]+", "_", by): by for by in (*pseudonyms, "command line")}
    found = []
    for campaign in bind.execute(sa.text("SELECT id FROM campaign ORDER BY id")).scalars():
        files = (folder / str(campaign)).glob("*.md")
        matches = [match for path in files if (match := _VERSION.fullmatch(path.stem))]
        for match in sorted(matches, key=_age):
            try:
                content = (folder / str(campaign) / f"{match[0]}.md").read_bytes()
            except OSError as error:
                raise WorkspaceError(
                    f"The version {match[0]} of guidelines cannot be read: {error.strerror}. "
                    f"Make the files in {folder} readable, then try again."
                ) from error
            found.append(
                {
                    "campaign_id": campaign,
                    "name": match[0],
                    "at": "{day}T{hour}:{minute}:{second}Z".format(**match.groupdict()),
                    "by": authors.get(match["by"], match["by"]),
                    "text": content.decode("utf-8", errors="replace"),
                }
            )
    return found


def _age(match: re.Match[str]) -> tuple[object, ...]:
    """Of one moment, the original comes first."""
    moment = match["day"], match["hour"], match["minute"], match["second"]
    return *moment, match["by"] != "original", int(match["number"] or 1)


def _jobs(folder: Path) -> list[dict[str, Any]]:
    """The last job of each kind; what cannot be read is left out."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        try:
            job = json.loads(path.read_text(encoding="utf-8"))
            found[job["kind"]] = {
                **{name: _storable(job[name]) for name in _JOB_TEXTS},
                **{name: int(job[name]) for name in ("id", "done", "total")},
                "ended_at": job["ended_at"] and _storable(job["ended_at"]),
                "result": dict(job["result"]),
            }
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("%s is not readable: %s", path, error)
    return list(found.values())


def _storable(value: object) -> str:
    return str(value).encode("utf-8", "backslashreplace").decode()


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
