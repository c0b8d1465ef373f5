"""The time zone and the notation of dates and numbers that somebody has chosen."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("time_zone", "locale"):
        op.add_column("user_account", sa.Column(name, sa.String(), nullable=True))


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
