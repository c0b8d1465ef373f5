"""E-mail addresses of people, and the deadlines that they were reminded of."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user_account", sa.Column("email", sa.String(), nullable=True))
    op.add_column("assignment", sa.Column("reminded_of", sa.String(), nullable=True))


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
