"""Review: flags and skips that were dealt with; tasks with one annotator are looked at again.

Where the campaign asks for one annotator, such a task needs no reviewer.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "review_task", sa.Column("handled", sa.Text(), nullable=False, server_default="[]")
    )
    op.execute("UPDATE review_task SET stale = true WHERE status = 'single'")


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
