"""Scores of pages by a model, by which tasks got their pages."""

import sqlalchemy as sa
from alembic import op

revision = "0108"
down_revision = "0107"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "page_scores",
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("inclusion_probability", sa.Float(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_page_scores_task_id_task")),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_page_scores")),
    )
