"""Tasks with gold are looked at again: gold that is missing something gets a status of its own."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE review_task SET stale = true WHERE gold_version > 0")
