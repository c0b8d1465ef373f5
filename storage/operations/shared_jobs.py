"""Jobs of several servers on one PostgreSQL database: what others ask of who runs one."""

from __future__ import annotations

from typing import get_args

from sqlalchemy import Engine, select

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.job_states import Asked
from pagetrail.storage.database.portable_sql import insert_into
from pagetrail.storage.database.tables import META


def ask(engine: Engine, kind: str, id_: int, what: Asked) -> None:
    """Ask whichever server runs a job to cancel, pause or resume it."""
    said = f"{id_} {what}"
    with write_transaction(engine, f"job/{kind}") as connection:
        row = insert_into(connection, META).values(key=_asked(kind), value=said)
        connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": said}))


def take_asked(engine: Engine, kind: str, id_: int) -> Asked | None:
    """What was asked of a job since this was last called."""
    mine = META.c.key == _asked(kind)
    with engine.connect() as connection:
        said = connection.execute(select(META.c.value).where(mine)).scalar()
    if said is None:
        return None
    with write_transaction(engine, f"job/{kind}") as connection:
        connection.execute(META.delete().where(mine, META.c.value == said))
    number, _, what = str(said).partition(" ")
    return what if number == str(id_) and what in get_args(Asked) else None  # type: ignore[return-value]


def _asked(kind: str) -> str:
    return f"job_asked/{kind}"
