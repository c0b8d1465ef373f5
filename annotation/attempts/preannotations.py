"""What an annotator is given to verify: the first events of an attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.table_state import Table
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.geometry.element import Row, elements_of
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.cells import table_cells
from pagetrail.annotation.tables.comparison import compare_tables
from pagetrail.annotation.tables.grid import Grid
from pagetrail.annotation.tables.sources import read_table_sources


def seed_payloads(protocol: Protocol, record: dict[str, Any]) -> list[ev.Payload]:
    """Elements of each page, rows of seeded tables, the text with its patches, the question."""
    payloads: list[ev.Payload] = []
    if protocol.boxes.seed:
        elements = elements_of(record)
        for (document, page), group in groupby(elements, key=lambda e: (e.document, e.page)):
            payloads.append(ev.ElementsSeeded(document=document, page=page, elements=tuple(group)))
    for spec in protocol.scoped("task"):
        if spec.kind == "records" and spec.seed is not None:
            columns = {column.name for column in spec.columns}
            rows = rows_of(record.get(spec.seed), columns)
            if rows:
                payloads.append(ev.RowsSeeded(field=spec.name, rows=rows))
    if protocol.transcript.enabled:
        payloads += _transcript_payloads(protocol, record)
    if protocol.tables.enabled:
        payloads += _table_payloads(record)
    if protocol.question.prefilled:
        payloads.append(ev.QuestionSeeded(text=str(record.get("question", ""))))
    return payloads


def _transcript_payloads(protocol: Protocol, record: dict[str, Any]) -> Iterator[ev.Payload]:
    """The text of the task's only page, as it was imported, and the patches for it."""
    candidates, text = record.get("candidates"), record.get("transcript")
    if not candidates or not isinstance(text, str):
        return
    page: dict[str, Any] = {name: candidates[0][name] for name in ("document", "page")}
    digest = text_hash(text)
    model = record.get("model") or None
    yield ev.TranscriptGiven(**page, text=text, text_sha256=digest, model=model)
    patches = record.get("patches")
    if protocol.transcript.patches and patches:
        yield ev.PatchesGiven(**page, round=1, text_sha256=digest, patches=tuple(patches))


def _table_payloads(record: dict[str, Any]) -> Iterator[ev.Payload]:
    """The tables of each page; none where they cannot be read, which importing refuses."""
    pages = [(page["document"], page["page"]) for page in record.get("candidates") or ()]
    try:
        sources = read_table_sources(record.get("tables") or [], pages)
    except ValueError:
        return
    model = record.get("model") or None
    for (document, page), group in groupby(sources, key=lambda source: source.page):
        tables = tuple(given_table(source.id, source.grid) for source in group)
        yield ev.TablesGiven(document=document, page=page, model=model, tables=tables)


def given_table(table_id: str, grid: Grid, before: Table | None = None) -> ev.GivenTable:
    """A table as an event gives it, compared with that of the round before."""
    compared = compare_tables(before.layout, grid) if before else None
    return ev.GivenTable(
        id=table_id,
        caption=grid.caption[: ev.MAX_CAPTION],
        n_rows=grid.n_rows,
        n_columns=grid.n_columns,
        cells=compared.cells if compared else table_cells(grid),
        removed=compared.removed if compared else (),
        answered_flag=before.flag if before else None,
    )


def rows_of(data: Any, columns: set[str]) -> tuple[Row, ...]:
    """Rows in a task's record: a list of objects; cells of other columns are left out."""
    if not isinstance(data, list):
        return ()
    return tuple(
        Row(
            id=str(row.get("id") or number)[:100],
            values={
                name: cell_text(cell)
                for name, cell in row.items()
                if name in columns and cell is not None
            },
        )
        for number, row in enumerate(data, start=1)
        if isinstance(row, dict)
    )


def cell_text(cell: Any) -> str:
    """A cell as text; a whole number without a decimal point, a list joined by semicolons."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, list | tuple):
        return "; ".join(cell_text(item) for item in cell)
    return str(cell)


def state_once_started(state: AttemptState, payloads: Iterable[ev.Payload]) -> AttemptState:
    """A new attempt as it will look once it has started; nothing is recorded."""
    started = state
    for number, payload in enumerate(payloads, start=2):
        event = ev.Event(
            attempt_id="preview",
            seq=number,
            server_ts="1970-01-01T00:00:00.000000Z",
            client_ts=None,
            elapsed_ms=0,
            actor="preview",
            client_event_id=f"preview/seed-{number}",
            payload=payload,
        )
        started = apply(started, event)
    parts = ("boxes", "rows", "transcript", "tables", "question_text")
    return state.model_copy(update={name: getattr(started, name) for name in parts})
