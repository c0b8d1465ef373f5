"""Models' drafts of gold."""

import sqlalchemy as sa
from alembic import op

revision = "0106"
down_revision = "0105"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "gold_draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("correctness", sa.JSON(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_gold_draft_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_gold_draft_task_id_task")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gold_draft")),
        sa.UniqueConstraint(
            "task_id", "model", "digest", name=op.f("uq_gold_draft_task_id_model_digest")
        ),
    )
    op.create_index(op.f("ix_gold_draft_campaign_id"), "gold_draft", ["campaign_id"], unique=False)
    op.create_index(op.f("ix_gold_draft_task_id"), "gold_draft", ["task_id"], unique=False)
