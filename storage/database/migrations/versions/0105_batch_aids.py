"""Bookmarks and scratchpads of a batch are found without reading its other events."""

import sqlalchemy as sa
from alembic import op

revision = "0105"
down_revision = "0104"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_aid = sa.text("type IN ('page_bookmarked', 'bookmark_removed', 'scratchpad_edited')")
    op.create_index(
        "ix_event_aids", "event", ["attempt_id"], sqlite_where=is_aid, postgresql_where=is_aid
    )
