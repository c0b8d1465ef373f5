"""How much each attempt has in the log, for the limit of what one attempt may store."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "response", sa.Column("log_chars", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.execute(
        "UPDATE response SET log_chars = (SELECT coalesce(sum(length(CAST(payload AS TEXT))), 0) "
        "FROM event WHERE event.attempt_id = response.attempt_id)"
    )


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
