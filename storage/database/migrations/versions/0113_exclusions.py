"""Who excluded a task, and when."""

import sqlalchemy as sa
from alembic import op

revision = "0113"
down_revision = "0112"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task", sa.Column("excluded_by", sa.Integer(), nullable=True))
    op.add_column("task", sa.Column("excluded_at", sa.String(), nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("task", "excluded_by", type_=sa.BigInteger(), existing_nullable=True)
