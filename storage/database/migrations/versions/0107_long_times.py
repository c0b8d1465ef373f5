"""Times of attempts that go on for more than 24 days, as rounds do, fit on PostgreSQL."""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return  # SQLite's integers have 64 bits
    for table, column in (
        ("event", "elapsed_ms"),
        ("attempt_summary", "wall_ms"),
        ("attempt_summary", "active_ms"),
    ):
        op.alter_column(table, column, type_=sa.BigInteger(), existing_nullable=False)
