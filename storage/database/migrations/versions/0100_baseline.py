"""The schema that later migrations start from.

Workspaces of development versions before it (schemas 0001 to 0028) are not opened.
"""

import sqlalchemy as sa
from alembic import op

from pagetrail.storage.database.append_only import create_triggers

revision = "0100"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("protocol", sa.JSON(), nullable=False),
        sa.Column("guidelines", sa.Text(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("claims", sa.JSON(), server_default="{}", nullable=False),
        sa.Column("checks_of", sa.Integer(), nullable=True),
        sa.Column("check_kind", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
        sa.UniqueConstraint("name", name=op.f("uq_campaign_name")),
    )
    op.create_table(
        "document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("n_pages", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("extractor", sa.String(), nullable=False),
        sa.Column("ingested_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
    )
    op.create_index(op.f("ix_document_name"), "document", ["name"], unique=True)
    op.create_index(op.f("ix_document_sha256"), "document", ["sha256"], unique=True)
    op.create_table(
        "job_state",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("started_at", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_job_state")),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "original_content",
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_original_content")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempt")),
    )
    op.create_index(op.f("ix_sign_in_attempt_digest"), "sign_in_attempt", ["digest"], unique=False)
    op.create_table(
        "used_logout_token",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("used_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_used_logout_token")),
    )
    op.create_table(
        "user_account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("pseudonym", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("languages", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("skills", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("group", sa.String(), server_default="", nullable=False),
        sa.Column("away_from", sa.String(), nullable=True),
        sa.Column("away_until", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("time_zone", sa.String(), nullable=True),
        sa.Column("locale", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
        sa.UniqueConstraint("name", name=op.f("uq_user_account_name")),
        sa.UniqueConstraint("pseudonym", name=op.f("uq_user_account_pseudonym")),
    )
    op.create_table(
        "batch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code_name", sa.String(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("due_on", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_batch_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
        sa.UniqueConstraint(
            "campaign_id", "code_name", name=op.f("uq_batch_campaign_id_code_name")
        ),
        sa.UniqueConstraint("campaign_id", "position", name=op.f("uq_batch_campaign_id_position")),
    )
    op.create_index(op.f("ix_batch_campaign_id"), "batch", ["campaign_id"], unique=False)
    op.create_table(
        "document_alias",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name=op.f("fk_document_alias_document_id_document")
        ),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_document_alias")),
    )
    op.create_table(
        "guideline_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_guideline_version_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guideline_version")),
        sa.UniqueConstraint(
            "campaign_id", "name", name=op.f("uq_guideline_version_campaign_id_name")
        ),
    )
    op.create_index(
        op.f("ix_guideline_version_campaign_id"), "guideline_version", ["campaign_id"], unique=False
    )
    op.create_table(
        "identity",
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_identity_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identity")),
    )
    op.create_index(op.f("ix_identity_user_id"), "identity", ["user_id"], unique=False)
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_sha256", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("group", sa.String(), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["by_id"], ["user_account.id"], name=op.f("fk_invitation_by_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_invitation_token_sha256")),
    )
    op.create_table(
        "login_session",
        sa.Column("token_sha256", sa.String(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.Column("service_session", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_login_session_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_login_session")),
    )
    op.create_index(op.f("ix_login_session_user_id"), "login_session", ["user_id"], unique=False)
    op.create_table(
        "page",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("width", sa.Float(), nullable=False),
        sa.Column("height", sa.Float(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("crop_x0", sa.Float(), nullable=False),
        sa.Column("crop_y0", sa.Float(), nullable=False),
        sa.Column("text_source", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name=op.f("fk_page_document_id_document")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page")),
        sa.UniqueConstraint("document_id", "number", name=op.f("uq_page_document_id_number")),
    )
    op.create_index(op.f("ix_page_document_id"), "page", ["document_id"], unique=False)
    op.create_index(op.f("ix_page_order"), "page", ["order"], unique=False)
    op.create_table(
        "pay_rate",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("amount", sa.String(), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("currency", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_pay_rate_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_pay_rate_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pay_rate")),
    )
    op.create_index(op.f("ix_pay_rate_campaign_id"), "pay_rate", ["campaign_id"], unique=False)
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
    op.create_index(
        op.f("ix_qualification_campaign_id"), "qualification", ["campaign_id"], unique=False
    )
    op.create_index(op.f("ix_qualification_user_id"), "qualification", ["user_id"], unique=False)
    op.create_table(
        "run_decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_run_decision_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_run_decision_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_decision")),
    )
    op.create_index(
        op.f("ix_run_decision_campaign_id"), "run_decision", ["campaign_id"], unique=False
    )
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("system", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("rationale", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_verdict_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verdict")),
        sa.UniqueConstraint(
            "campaign_id",
            "name",
            "task",
            "system",
            name=op.f("uq_verdict_campaign_id_name_task_system"),
        ),
    )
    op.create_index(op.f("ix_verdict_campaign_id"), "verdict", ["campaign_id"], unique=False)
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("told_at", sa.String(), nullable=True),
        sa.Column("checks", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reminded_of", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batch.id"], name=op.f("fk_assignment_batch_id_batch")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_assignment_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("batch_id", "user_id", name=op.f("uq_assignment_batch_id_user_id")),
    )
    op.create_index(op.f("ix_assignment_batch_id"), "assignment", ["batch_id"], unique=False)
    op.create_index(op.f("ix_assignment_user_id"), "assignment", ["user_id"], unique=False)
    op.create_table(
        "recognised_words",
        sa.Column("page_id", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page_id"], ["page.id"], name=op.f("fk_recognised_words_page_id_page")
        ),
        sa.PrimaryKeyConstraint("page_id", name=op.f("pk_recognised_words")),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("copy_of", sa.Integer(), nullable=True),
        sa.Column("question_key", sa.String(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_task_batch_id_batch")),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_task_campaign_id_campaign")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("campaign_id", "key", name=op.f("uq_task_campaign_id_key")),
    )
    op.create_index(op.f("ix_task_batch_id"), "task", ["batch_id"], unique=False)
    op.create_index(op.f("ix_task_campaign_id"), "task", ["campaign_id"], unique=False)
    op.create_index(op.f("ix_task_question_key"), "task", ["question_key"], unique=False)
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        sa.Column("setting", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_attempt_assignment_id_assignment")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_attempt_task_id_task")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_attempt_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint(
            "task_id", "user_id", "setting", name=op.f("uq_attempt_task_id_user_id_setting")
        ),
    )
    op.create_index(op.f("ix_attempt_assignment_id"), "attempt", ["assignment_id"], unique=False)
    op.create_index(op.f("ix_attempt_task_id"), "attempt", ["task_id"], unique=False)
    op.create_index(op.f("ix_attempt_user_id"), "attempt", ["user_id"], unique=False)
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
        sa.Column("handled", sa.Text(), server_default="[]", nullable=False),
        sa.Column("contradicts_dataset", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_review_task_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_review_task_task_id_task")),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_review_task")),
    )
    op.create_index(
        op.f("ix_review_task_campaign_id"), "review_task", ["campaign_id"], unique=False
    )
    op.create_index(
        "ix_review_task_queue", "review_task", ["campaign_id", "status", "score"], unique=False
    )
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
            ["campaign_id"], ["campaign.id"], name=op.f("fk_attempt_summary_campaign_id_campaign")
        ),
        sa.ForeignKeyConstraint(
            ["task_id"], ["task.id"], name=op.f("fk_attempt_summary_task_id_task")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_attempt_summary_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_attempt_summary")),
    )
    op.create_index(
        op.f("ix_attempt_summary_campaign_id"), "attempt_summary", ["campaign_id"], unique=False
    )
    op.create_index(
        op.f("ix_attempt_summary_task_id"), "attempt_summary", ["task_id"], unique=False
    )
    op.create_index(
        op.f("ix_attempt_summary_user_id"), "attempt_summary", ["user_id"], unique=False
    )
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("server_ts", sa.String(), nullable=False),
        sa.Column("client_ts", sa.String(), nullable=True),
        sa.Column("elapsed_ms", sa.Integer(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("client_event_id", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_event_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("attempt_id", "client_event_id", name="uq_event_client"),
        sa.UniqueConstraint("attempt_id", "seq", name="uq_event_seq"),
    )
    op.create_table(
        "response",
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        sa.Column("n_searches", sa.Integer(), nullable=False),
        sa.Column("n_citations", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.String(), nullable=False),
        sa.Column("log_chars", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_response_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_response")),
    )
    op.create_index("ix_response_status", "response", ["status"], unique=False)
    op.create_table(
        "run_original",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("deleted_at", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_run_original_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_original")),
        sa.UniqueConstraint("attempt_id", "part", name=op.f("uq_run_original_attempt_id_part")),
    )
    op.create_index(op.f("ix_run_original_sha256"), "run_original", ["sha256"], unique=False)
    op.create_table(
        "unsent_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(), nullable=False),
        sa.Column("received_at", sa.String(), nullable=False),
        sa.Column("client_ts", sa.String(), nullable=True),
        sa.Column("client_event_id", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_unsent_event_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_unsent_event")),
        sa.UniqueConstraint(
            "attempt_id", "client_event_id", name=op.f("uq_unsent_event_attempt_id_client_event_id")
        ),
    )
    create_triggers(op.get_bind())


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
