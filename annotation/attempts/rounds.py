"""Rounds of texts and tables: whether a task is with its annotator or a model, and what was done.

The annotator corrects the text and decides the model's patches, or corrects and flags cells of
tables. If the text changed or a cell is flagged, a model looks at the task again and the next round
begins; a task that is submitted without either is done (ParseBench, Zhang et al. 2026, section 2.2
and appendix A.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.table_state import Table, Tables
from pagetrail.annotation.attempts.transcript_state import Transcript
from pagetrail.annotation.tables.cells import Layout, TableCell, table_cells
from pagetrail.annotation.tables.comparison import compare_tables
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, gaps

RoundStage = Literal["untouched", "changed", "waiting", "accepted", "skipped"]
ROUND_STAGES: tuple[RoundStage, ...] = get_args(RoundStage)


def round_stage(state: AttemptState) -> RoundStage:
    """Where a task is in its current round.

    ``untouched`` and ``changed`` are with the annotator, ``waiting`` with a model. ``accepted``,
    submitted without a changed text or a flag, is the end; so is ``skipped``.
    """
    if state.status == "skipped":
        return "skipped"
    transcript, tables = state.transcript, state.tables
    asks_for_model = bool(tables.n_flags) or (transcript is not None and has_changed(transcript))
    if state.status == "submitted":
        return "waiting" if asks_for_model else "accepted"
    is_touched = any(table.edited for table in tables.tables) or (
        transcript is not None and any(patch.state != "open" for patch in transcript.patches)
    )
    return "changed" if asks_for_model or is_touched else "untouched"


def has_changed(transcript: Transcript) -> bool:
    """Whether the text differs from the round's first one, or a patch of the round is accepted."""
    return (
        bool(transcript.in_state("accepted"))
        or transcript.text_sha256 != transcript.round_text_sha256
    )


@dataclass
class RoundWork:
    """What one annotator did with one task in one round.

    Attributes:
        number: of the round, from 1.
        model: that gave the text, patches or tables.
        stage: at the end of the round, or now.
        active_ms: working time.
        edits: events that edited the text or tables, undoing included.
        given: patches.
        accepted, rejected, stale, undecided: of the patches, at the end of the round.
        added_chars, removed_chars: of the text's edits; patches are not counted.
        flags: of cells and whole tables, at the end of the round.
        changed_cells: that differ at the end of the round from its beginning, or are new.
        deleted_lines: rows and columns of the round's beginning that are gone at its end.
        model_cells: that differ at the round's beginning from the end of the round before.
        confirmed, corrected, flagged_again, unconfirmed: of these, at the end of the round.
    """

    number: int
    model: str | None = None
    stage: RoundStage = "untouched"
    active_ms: int = 0
    edits: int = 0
    given: int = 0
    accepted: int = 0
    rejected: int = 0
    stale: int = 0
    undecided: int = 0
    added_chars: int = 0
    removed_chars: int = 0
    flags: int = 0
    changed_cells: int = 0
    deleted_lines: int = 0
    model_cells: int = 0
    confirmed: int = 0
    corrected: int = 0
    flagged_again: int = 0
    unconfirmed: int = 0

    @property
    def edited_chars(self) -> int:
        """Characters inserted and removed."""
        return self.added_chars + self.removed_chars


def round_works(events: Sequence[ev.Event]) -> list[RoundWork]:
    """The work of an attempt by round; empty where the attempt has neither text nor tables."""
    rounds: list[RoundWork] = []
    number = 1
    active_ms: dict[int, int] = {}
    first_tables: dict[int, Tables] = {}
    last_states: dict[int, AttemptState] = {}
    for event, state, gap_ms in zip(events, states_after(events), active_gaps(events), strict=True):
        payload = event.payload
        if isinstance(payload, ev.RoundStarted):
            number = payload.number
        active_ms[number] = active_ms.get(number, 0) + gap_ms
        if state.transcript is None and not state.tables.tables:
            continue
        if not rounds or rounds[-1].number != number:
            rounds.append(RoundWork(number))
        _count_edit(rounds[-1], payload)
        if isinstance(payload, ev.TablesGiven):
            first_tables[number] = state.tables
        last_states[number] = state
    for work in rounds:
        state = last_states[work.number]
        work.active_ms = active_ms.get(work.number, 0)
        work.stage = round_stage(state)
        if state.transcript is not None:
            _set_patches(work, state.transcript)
        if work.number in first_tables:
            _set_cells(work, first_tables[work.number], state.tables)
    return rounds


def states_after(events: Iterable[ev.Event]) -> Iterator[AttemptState]:
    """The state after each event."""
    state = AttemptState()
    for event in events:
        state = apply(state, event)
        yield state


def active_gaps(events: Sequence[ev.Event]) -> list[int]:
    """Working time after each event; nothing follows the last."""
    cap_ms = round(DEFAULT_IDLE_CAP_S * 1000)
    return [*(gap.active_ms(cap_ms) for gap in gaps(events)), *([0] if events else [])]


def _count_edit(work: RoundWork, payload: ev.Payload) -> None:
    work.edits += isinstance(payload, ev.TextEdited | ev.TableEdited)
    if isinstance(payload, ev.TextEdited):
        work.added_chars += payload.added_chars
        work.removed_chars += payload.removed_chars


def _set_patches(work: RoundWork, transcript: Transcript) -> None:
    """Fill in what became of the patches, from the text at the end of the round."""
    work.model = transcript.model
    work.given = len(transcript.patches)
    work.accepted = len(transcript.in_state("accepted"))
    work.rejected = len(transcript.in_state("rejected"))
    work.stale = len(transcript.in_state("stale"))
    work.undecided = len(transcript.in_state("open"))


def _set_cells(work: RoundWork, first: Tables, last: Tables) -> None:
    """Fill in what became of the cells, from the tables at both ends of the round."""
    work.model = last.model
    work.flags = last.n_flags
    for before in first.tables:
        after = last.table(before.id)
        if after is None:
            continue
        if before.grid != after.grid:
            round_start = Layout(before.n_rows, before.n_columns, table_cells(before.grid))
            compared = compare_tables(round_start, after.grid)
            work.changed_cells += sum(cell.fix is not None for cell in compared.cells)
            work.deleted_lines += len(compared.removed)
        n_fixed = sum(1 for _ in _fixed_cells(before))
        work.model_cells += n_fixed
        for cell in _fixed_cells(after):
            n_fixed -= 1
            if cell.flag is not None:
                work.flagged_again += 1
            elif cell.model_text is not None:
                work.corrected += 1
            elif cell.confirmed:
                work.confirmed += 1
            else:
                work.unconfirmed += 1
        work.corrected += max(n_fixed, 0)  # deleted, merged or split


def _fixed_cells(table: Table) -> Iterator[TableCell]:
    """The cells that a model changed since the round before."""
    for cell in table.cells:
        if cell.fix is not None and cell.fix.changed != "nothing":
            yield cell
