"""Accounts keep what people choose for themselves: theme and language of the interface."""

import sqlalchemy as sa
from alembic import op

revision = "0102"
down_revision = "0101"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "user_account", sa.Column("preferences", sa.JSON(), server_default="{}", nullable=False)
    )
