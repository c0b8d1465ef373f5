"""Review: priorities of batches, what reviewers' screens read, decisions on pilots."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("batch", sa.Column("priority", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "attempt_summary",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("handed_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("handed_at", sa.String(), nullable=False),
        sa.Column("wall_ms", sa.Integer(), nullable=False),
        sa.Column("active_ms", sa.Integer(), nullable=False),
        sa.Column("n_searches", sa.Integer(), nullable=False),
        sa.Column("first_query_hit", sa.Boolean(), nullable=True),
        sa.Column("ratings", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_attempt_summary_attempt_id_attempt")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["task.id"], name=op.f("fk_attempt_summary_task_id_task")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_attempt_summary_user_id_user_account"),
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_attempt_summary_campaign_id_campaign"),
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_attempt_summary")),
    )
    for column in ("task_id", "user_id", "campaign_id"):
        op.create_index(op.f(f"ix_attempt_summary_{column}"), "attempt_summary", [column])
    op.create_table(
        "review_task",
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("n_handed", sa.Integer(), nullable=False),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.Column("gold_version", sa.Integer(), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", sa.String(), nullable=True),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("holder", sa.String(), nullable=True),
        sa.Column("held_at", sa.String(), nullable=True),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.Column("sources", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_review_task_task_id_task")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_review_task_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_review_task")),
    )
    op.create_index(op.f("ix_review_task_campaign_id"), "review_task", ["campaign_id"])
    op.create_index("ix_review_task_queue", "review_task", ["campaign_id", "status", "score"])
    op.create_table(
        "qualification",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("baseline", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_qualification_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_qualification_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_qualification")),
    )
    for column in ("campaign_id", "user_id"):
        op.create_index(op.f(f"ix_qualification_{column}"), "qualification", [column])
    # Existing work is compared when a supervisor first opens the review.
    op.execute(
        "INSERT INTO review_task (task_id, campaign_id, stale, status, score, n_handed, flagged, "
        "drawn, gold_version, automatic, parts, sources) "
        "SELECT id, campaign_id, true, 'waiting', 0, 0, false, false, 0, false, '[]', '[]' "
        "FROM task WHERE EXISTS (SELECT 1 FROM attempt "
        "JOIN response ON response.attempt_id = attempt.id "
        "WHERE attempt.task_id = task.id)"
    )


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
