"""Work that comes too late for the log is kept beside it, and whether its annotator was told."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignment", sa.Column("told_at", sa.String(), nullable=True))
    op.create_table(
        "unsent_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("received_at", sa.String(), nullable=False),
        sa.Column("client_ts", sa.String(), nullable=True),
        sa.Column("client_event_id", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_unsent_event_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unsent_event")),
        sa.UniqueConstraint(
            "attempt_id",
            "client_event_id",
            name=op.f("uq_unsent_event_attempt_id_client_event_id"),
        ),
    )
