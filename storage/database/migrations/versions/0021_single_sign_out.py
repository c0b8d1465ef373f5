"""Sessions that a sign-in service may end, and its requests that have been used."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("login_session", sa.Column("service_session", sa.String(), nullable=True))
    op.create_table(
        "used_logout_token",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("used_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_used_logout_token")),
    )


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
