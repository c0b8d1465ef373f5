"""Review: tasks on which annotators agree with each other and not with the dataset.

Every task with submitted work is compared again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "review_task",
        sa.Column("contradicts_dataset", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE review_task SET stale = true WHERE n_handed > 0")


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
