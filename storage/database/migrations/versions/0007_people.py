"""Languages, skills and a group of each person, to assign work by."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("languages", "skills"):
        op.add_column(
            "user_account", sa.Column(name, sa.JSON(), nullable=False, server_default="[]")
        )
    op.add_column(
        "user_account", sa.Column("group", sa.String(), nullable=False, server_default="")
    )


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
