"""Who excluded a task, and when."""

import sqlalchemy as sa
from alembic import op

revision = "0111"
down_revision = "0110"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task", sa.Column("excluded_by", sa.BigInteger(), nullable=True))
    op.add_column("task", sa.Column("excluded_at", sa.String(), nullable=True))
