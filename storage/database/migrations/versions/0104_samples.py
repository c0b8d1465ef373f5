"""Campaigns keep the sample that their tasks were drawn in."""

import sqlalchemy as sa
from alembic import op

revision = "0104"
down_revision = "0103"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sample",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("verdicts", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("population", sa.String(), nullable=False),
        sa.Column("strata", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_sample_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sample")),
        sa.UniqueConstraint("campaign_id", name=op.f("uq_sample_campaign_id")),
    )
    op.create_table(
        "sampled_task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("stratum", sa.Integer(), nullable=False),
        sa.Column("draw", sa.Integer(), nullable=False),
        sa.Column("drawn_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sample_id"], ["sample.id"], name=op.f("fk_sampled_task_sample_id_sample")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sampled_task")),
        sa.UniqueConstraint("sample_id", "task", name=op.f("uq_sampled_task_sample_id_task")),
    )
    op.create_index(op.f("ix_sampled_task_sample_id"), "sampled_task", ["sample_id"], unique=False)
