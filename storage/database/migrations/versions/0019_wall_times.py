"""An attempt's wall time ends with its submission: summaries with later events are made again."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "UPDATE review_task SET stale = true WHERE task_id IN "
        "(SELECT task_id FROM attempt_summary WHERE last_seq > handed_seq)"
    )
    op.execute("DELETE FROM attempt_summary WHERE last_seq > handed_seq")


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
