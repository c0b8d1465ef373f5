"""Versions of documents whose files are replaced, and the version that events saw."""

import sqlalchemy as sa
from alembic import op

revision = "0112"
down_revision = "0111"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("document", sa.Column("version", number, nullable=False, server_default="1"))
    op.add_column("event", sa.Column("document_version", number, nullable=True))
    op.create_table(
        "earlier_document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("n_pages", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("extractor", sa.String(), nullable=False),
        sa.Column("ingested_at", sa.String(), nullable=False),
        sa.Column("replaced_at", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["document.id"], name=op.f("fk_earlier_document_document_id_document")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_earlier_document")),
        sa.UniqueConstraint(
            "document_id", "version", name=op.f("uq_earlier_document_document_id_version")
        ),
    )
    op.create_index(
        op.f("ix_earlier_document_sha256"), "earlier_document", ["sha256"], unique=False
    )
    op.create_table(
        "earlier_page",
        sa.Column("earlier_document_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("width", sa.Float(), nullable=False),
        sa.Column("height", sa.Float(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("crop_x0", sa.Float(), nullable=False),
        sa.Column("crop_y0", sa.Float(), nullable=False),
        sa.Column("text_source", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["earlier_document_id"],
            ["earlier_document.id"],
            name=op.f("fk_earlier_page_earlier_document_id_earlier_document"),
        ),
        sa.PrimaryKeyConstraint("earlier_document_id", "number", name=op.f("pk_earlier_page")),
    )
