"""What runs were read from, and the confidence and rationale of verdicts."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("verdict", sa.Column("confidence", sa.Float(), nullable=True))
    op.add_column("verdict", sa.Column("rationale", sa.Text(), nullable=True))
    op.create_table(
        "original_content",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256"),
    )
    op.create_table(
        "run_original",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(), sa.ForeignKey("attempt.id"), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("deleted_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("attempt_id", "part"),
    )
    op.create_index("ix_run_original_sha256", "run_original", ["sha256"])


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
