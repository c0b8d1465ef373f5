"""Columns and tables say state and submission; screens take notation from the browser."""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0100"
branch_labels = None
depends_on = None

RENAMED_COLUMNS = (
    ("assignment", "told_at", "withdrawal_shown_at"),
    ("review_task", "n_handed", "n_submissions"),
    ("attempt_summary", "handed_seq", "submission_seq"),
    ("attempt_summary", "handed_at", "submitted_at"),
)


def upgrade() -> None:
    for table, old, new in RENAMED_COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    op.drop_column("user_account", "time_zone")
    op.drop_column("user_account", "locale")
    # A new table, since SQLite cannot rename the constraints of the old one.
    op.create_table(
        "attempt_state",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("n_searches", sa.Integer(), nullable=False),
        sa.Column("n_citations", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.String(), nullable=False),
        sa.Column("log_chars", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_attempt_state_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_attempt_state")),
    )
    op.execute(
        "INSERT INTO attempt_state (attempt_id, last_seq, status, outcome, flagged, n_searches, "
        "n_citations, updated_at, log_chars, state) SELECT attempt_id, last_seq, status, outcome, "
        "flagged, n_searches, n_citations, updated_at, log_chars, state FROM response"
    )
    op.drop_table("response")
    op.create_index("ix_attempt_state_status", "attempt_state", ["status"], unique=False)
