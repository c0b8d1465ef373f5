"""The migrations of an invented next version of the program."""

from __future__ import annotations

import shutil
from pathlib import Path

from pagetrail.storage.database import workspace

PRESENT = str(workspace._migration_scripts().get_current_head())
NEXT = "9000"
_MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{PRESENT}"
branch_labels = depends_on = None


def upgrade():
    op.add_column("task", sa.Column("copy", sa.String(), nullable=False, server_default=""))
    op.execute("UPDATE task SET copy = key")
    op.create_index("ix_task_copy", "task", ["copy"])
    op.create_table("addition", sa.Column("id", sa.Integer(), primary_key=True))
    op.execute("INSERT INTO addition (id) SELECT id FROM task")
'''


def next_migrations(folder: Path) -> Path:
    """Make a new folder with this version's migrations and one more."""
    shutil.copytree(workspace._MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"{NEXT}_next.py").write_text(_MIGRATION)
    return folder
