"""Hidden gold and repeated tasks: copies of tasks in campaigns of their own."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("checks_of", sa.Integer(), nullable=True))
    op.add_column("campaign", sa.Column("check_kind", sa.String(), nullable=True))
    op.add_column("task", sa.Column("copy_of", sa.Integer(), nullable=True))
    op.add_column(
        "assignment", sa.Column("checks", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
