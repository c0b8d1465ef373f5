"""Tasks that are excluded from now on, with the reason."""

import sqlalchemy as sa
from alembic import op

revision = "0109"
down_revision = "0108"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task", sa.Column("excluded", sa.Text(), nullable=True))
    is_excluded = sa.text("excluded IS NOT NULL")
    op.create_index(
        "ix_task_excluded",
        "task",
        ["campaign_id"],
        sqlite_where=is_excluded,
        postgresql_where=is_excluded,
    )
