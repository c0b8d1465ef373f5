"""Tasks: a key of the question, by which the same task is found in other campaigns."""

import sqlalchemy as sa
from alembic import op

from pagetrail.annotation.tasks.identity import question_key

revision = "0026"
down_revision = "0028"
branch_labels = None
depends_on = None

_AT_ONCE = 1_000


def upgrade() -> None:
    op.add_column("task", sa.Column("question_key", sa.String(), nullable=False, server_default=""))
    op.create_index("ix_task_question_key", "task", ["question_key"])
    task = sa.table(
        "task",
        sa.column("id", sa.Integer),
        sa.column("record", sa.JSON),
        sa.column("question_key", sa.String),
    )
    connection = op.get_bind()
    by_id = task.update().where(task.c.id == sa.bindparam("task_id"))
    statement = by_id.values(question_key=sa.bindparam("key"))
    last = 0
    while rows := connection.execute(
        sa.select(task.c.id, task.c.record)
        .where(task.c.id > last)
        .order_by(task.c.id)
        .limit(_AT_ONCE)
    ).all():
        connection.execute(
            statement, [{"task_id": row.id, "key": question_key(row.record)} for row in rows]
        )
        last = rows[-1].id


def downgrade() -> None:
    raise RuntimeError("migrations only go forward; restore a backup instead")
