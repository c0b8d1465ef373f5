"""``import-tables``: tables that a model fixed begin the next round of their tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Unpack

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import given_table
from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tables.parsing import REPAIRS
from pagetrail.annotation.tables.sources import TableSource, read_table_sources
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import IMPORT_TABLES
from pagetrail.storage.importers.rounds import (
    AnsweredWork,
    RoundAnswer,
    RoundKind,
    RoundOptions,
    RoundProblem,
    RoundReport,
    RoundWording,
    import_rounds,
)


@dataclass
class TableReport:
    """Outcome of an import of fixed tables.

    Attributes:
        changes: that ask for confirmation.
        repaired: tables that were not well-formed, and are read in their nearest meaning.
    """

    rounds: RoundReport
    changes: int
    repaired: list[RoundProblem]
    left_out: list[RoundProblem]


def import_tables(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    **options: Unpack[RoundOptions],
) -> TableReport:
    """Begin the next round of the submitted tasks whose tables the file's rows have fixed.

    Raises as ``import_rounds``.
    """
    kind = _TableRounds()
    rounds, left_out = import_rounds(workspace, path, campaign, kind, options)
    return TableReport(rounds, kind.changes, kind.repaired, left_out)


class _TableRounds(RoundKind):
    """Tables, which a model fixes as their annotator asked.

    Attributes:
        changes: that ask for confirmation.
        repaired: tables that were not well-formed.
    """

    hash_field = "tables_sha256"
    importer = IMPORT_TABLES
    names_round = False
    wording = RoundWording(
        missing="has no tables, or has not been opened yet",
        other_protocol=N_(
            "The tasks of {campaign} have no tables to verify. Fixed tables are for campaigns "
            "of the protocol verify_table."
        ),
        answered="the tables that were fixed",
        changed="other tables",
        repeated="tables for this task already",
        accepted="without a flag",
        way_out="export the fixes again and answer the current tables",
    )

    def __init__(self) -> None:
        self.changes = 0
        self.repaired: list[RoundProblem] = []
        self._sources: list[TableSource] = []  # of the answer whose round begins

    def is_asked_by(self, protocol: Protocol) -> bool:
        return protocol.tables.enabled

    def parse_proposals(self, data: Mapping[str, Any]) -> Any:
        if data.get("tables") is None:
            raise ValueError("tables: must be a list of objects with id and html or markdown")
        return data["tables"]

    def answered_work(self, state: AttemptState) -> AnsweredWork | None:
        tables = state.tables
        if not tables.tables:
            return None
        return AnsweredWork(tables.round, tables.sha256, round_stage(state) == "accepted")

    def payloads(
        self, state: AttemptState, answer: RoundAnswer, number: int
    ) -> dict[str, ev.Payload]:
        pages = [(table.document, table.page) for table in state.tables.tables]
        self._sources = read_table_sources(answer.proposals, list(dict.fromkeys(pages)))
        unknown_ids = [s.id for s in self._sources if state.tables.table(s.id) is None]
        if unknown_ids:
            table_ids = ", ".join(table.id for table in state.tables.tables)
            raise ValueError(f"tables: there is no table {unknown_ids[0]!r}; tables: {table_ids}")
        given_tables = _given_tables(state, self._sources, number, answer.model)
        return {f"tables{index}": payload for index, payload in enumerate(given_tables)}

    def count(self, answer: RoundAnswer, state: AttemptState) -> None:
        self.changes += sum(table.n_unconfirmed for table in state.tables.tables)
        for source in self._sources:
            if source.repairs:
                repairs = "; ".join(gettext(REPAIRS[repair]) for repair in source.repairs)
                reason = f"table {source.id}: {repairs}"
                self.repaired.append(RoundProblem(answer.line, answer.task, reason))


def _given_tables(
    state: AttemptState, sources: Sequence[TableSource], number: int, model: str | None
) -> Iterator[ev.TablesGiven]:
    """All tables of the task by page: the fixed ones, and the others as they are.

    Flags of a table that a model has not returned are answered by the table as it is.
    """
    fixed_grids = {source.id: source.grid for source in sources}
    for (document, page), group in groupby(
        state.tables.tables, key=lambda table: (table.document, table.page)
    ):
        tables = tuple(
            given_table(table.id, fixed_grids.get(table.id, table.grid), table) for table in group
        )
        yield ev.TablesGiven(document=document, page=page, round=number, model=model, tables=tables)
