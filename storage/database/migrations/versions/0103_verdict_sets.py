"""A set of imported verdicts belongs to a judge."""

import sqlalchemy as sa
from alembic import op

revision = "0103"
down_revision = "0102"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "verdict_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("judge", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("prompt", sa.Text(), nullable=True),
        sa.Column("version", sa.String(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=True),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("judged_on", sa.String(), nullable=True),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_verdict_set_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict_set")),
        sa.UniqueConstraint("campaign_id", "name", name=op.f("uq_verdict_set_campaign_id_name")),
    )
    op.create_index(
        op.f("ix_verdict_set_campaign_id"), "verdict_set", ["campaign_id"], unique=False
    )
    op.execute(
        "INSERT INTO verdict_set (campaign_id, name, judge, at) "
        "SELECT campaign_id, name, name, MIN(at) FROM verdict GROUP BY campaign_id, name "
        "ORDER BY campaign_id, name"
    )
