"""When searches, citations, boxes and field values of an attempt began and ended.

Follows the states event by event; nothing here interprets events. Unchanged parts of a state are
the same objects as before, so an identity check is enough. Boxes are folded page by page, since an
attempt may have thousands.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.batch_aids import Bookmark
from pagetrail.annotation.attempts.boxes import Boxes, PageBox, apply_box
from pagetrail.annotation.attempts.form_state import FieldValue
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.table_state import Table, Tables
from pagetrail.annotation.events import boxes as be
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.replay.script import (
    BoxLife,
    BoxState,
    Cited,
    Edit,
    FieldChange,
    PageKey,
    PatchLife,
    PatchPlace,
    SearchShown,
)
from pagetrail.annotation.sentences import shortened
from pagetrail.annotation.tables.cells import FLAG_KINDS, CellFlag


class BoxPages:
    """All boxes of an attempt, with one fold per page.

    A change of a box and its undo history concern one page only. With all pages in one state, as in
    ``annotation.attempts.boxes``, thousands of events in a row would be slow.
    """

    def __init__(self) -> None:
        self._pages: dict[PageKey, Boxes] = {}
        self._owner: dict[str, PageKey] = {}
        self._given = 0

    @property
    def boxes(self) -> Sequence[PageBox]:
        """All boxes, deleted ones too, in the order they were made."""
        by_id = {box.id: box for state in self._pages.values() for box in state.boxes}
        return [by_id[id_] for id_ in self._owner]

    def replace(self, boxes: Sequence[PageBox]) -> None:
        """Go on from these, with nothing to undo."""
        self._pages, self._owner, self._given = {}, {}, 0
        for box in boxes:
            key = (box.document, box.page)
            state = self._pages.get(key, Boxes())
            self._pages[key] = state.model_copy(update={"boxes": (*state.boxes, box)})
            self._owner[box.id] = key
            self._given += box.model is not None

    def apply(self, payload: be.BoxEvent, seq: int, event_id: str) -> Iterator[PageBox]:
        """Take in one more event; yields the boxes that are new or changed."""
        key = self._page_of(payload)
        if key is None:
            return
        before = self._pages.get(key, Boxes())
        if isinstance(payload, be.ElementsSeeded):
            after = self._seeded(before, payload, seq)
        else:
            after = apply_box(before, payload, seq, event_id)
        self._pages[key] = after
        for number, box in enumerate(after.boxes):
            if number >= len(before.boxes) or box is not before.boxes[number]:
                self._owner[box.id] = key
                yield box

    def _page_of(self, payload: be.BoxEvent) -> PageKey | None:
        """Where it happens; None where it changes nothing."""
        if isinstance(payload, be.BoxDrawn):
            # The name of a box is taken for the whole attempt.
            return None if payload.box in self._owner else (payload.document, payload.page)
        if isinstance(payload, be.Undone | be.Redone | be.ElementsSeeded):
            return payload.document, payload.page
        return self._owner.get(payload.box) if isinstance(payload, be.BoxChange) else None

    def _seeded(self, before: Boxes, payload: be.ElementsSeeded, seq: int) -> Boxes:
        """Elements are numbered through the attempt, not through the page."""
        seeded = apply_box(Boxes(), payload, seq, "").boxes
        renumbered = [
            box.model_copy(update={"id": f"e{number}"})
            for number, box in enumerate(seeded, start=self._given + 1)
        ]
        self._given += len(renumbered)
        return before.model_copy(update={"boxes": (*before.boxes, *renumbered)})


class _PageLifetimes:
    """From which event to which pages were in a list."""

    def __init__(self) -> None:
        self._present: dict[PageKey, Cited] = {}
        self._removed: list[Cited] = []

    @property
    def lifetimes(self) -> tuple[Cited, ...]:
        """All of them, by their beginning."""
        return tuple(sorted([*self._removed, *self._present.values()], key=lambda c: c.begin))

    def follow(self, seq: int, listed: Sequence[Citation] | Sequence[Bookmark]) -> None:
        """Take in the list as it is from an event on."""
        pages = {(entry.document, entry.page): None for entry in listed}
        for page in [page for page in self._present if page not in pages]:
            self._removed.append(Cited(page, self._present.pop(page).begin, seq))
        for page in pages:
            if page not in self._present:
                self._present[page] = Cited(page, seq)


RESULTS_SHOWN = 50
"""Of one search; of a run with very many searches fewer, so that all stay below the next."""

RESULTS_IN_ALL = 100_000
FEWEST_RESULTS = 5
_MAX_VALUE = 200
_PAIR = re.compile("[\U00010000-\U0010ffff]")
"""A character of two UTF-16 units."""
_FIRST = 1
"""The number of the first event."""
_TRACELESS = (ev.PageViewed, ev.ViewChanged, ev.TabHidden, ev.TabShown, ev.AgentTurn, ev.AgentStep)
"""The most frequent events that change nothing shown here."""


class ElementLifetimes:
    """The lifetimes so far; call ``follow`` for every event, in order.

    Args:
        n_searches: number of searches, which limits the results kept of each.
        before: the state before the first event; its parts begin with that event.
    """

    def __init__(self, n_searches: int = 0, before: AttemptState | None = None) -> None:
        room = RESULTS_IN_ALL // max(1, n_searches)
        self._room = max(FEWEST_RESULTS, min(RESULTS_SHOWN, room))
        self.searches: list[SearchShown] = []
        self.fields: list[FieldChange] = []
        self.texts: dict[str, list[Edit]] = {
            "answer": [],
            "question": [],
            "note": [],
            "scratchpad": [],
            "transcript": [],
            "tables": [],
        }
        self._table_texts: dict[str, tuple[Table, str]] = {}
        self._tables_text = ""
        self._patches: dict[tuple[int, str], PatchLife] = {}
        self._patch_places: dict[tuple[int, str], PatchPlace] = {}
        self._cited = _PageLifetimes()
        self._bookmarked = _PageLifetimes()
        self._boxes: dict[str, tuple[PageKey, list[BoxState]]] = {}
        self._pages = BoxPages()
        self._state = AttemptState()
        if before is not None:
            self._begin_with(before)

    @property
    def citations(self) -> tuple[Cited, ...]:
        """All citations, removed ones too, by their beginning."""
        return self._cited.lifetimes

    @property
    def bookmarks(self) -> tuple[Cited, ...]:
        """All bookmarks, removed ones too, by their beginning."""
        return self._bookmarked.lifetimes

    @property
    def boxes(self) -> tuple[BoxLife, ...]:
        """All boxes, deleted ones too, in the order they were made."""
        return tuple(BoxLife(id_, page, tuple(s)) for id_, (page, s) in self._boxes.items())

    @property
    def patches(self) -> tuple[PatchLife, ...]:
        """A model's patches of all rounds, in the order they were given."""
        return tuple(self._patches.values())

    def follow(self, event: ev.Event) -> None:
        """Take in one more event."""
        payload = event.payload
        if isinstance(payload, ev.BoxEvent):
            for box in self._pages.apply(payload, event.seq, event.client_event_id):
                self._box(event.seq, box, is_deleted=box.deleted)
            return
        if isinstance(payload, _TRACELESS):
            return
        before = self._state
        if isinstance(payload, ev.GoldMerged):
            before = before.model_copy(update={"boxes": Boxes(boxes=tuple(self._pages.boxes))})
        self._state = after = apply(before, event)
        if after.boxes is not before.boxes:
            self._replace_boxes(event.seq, after.boxes.boxes)
        self._changed(event.seq, before, after)

    def _begin_with(self, state: AttemptState) -> None:
        self._replace_boxes(_FIRST, state.boxes.boxes)
        self._changed(_FIRST, AttemptState(searches=state.searches), state)
        self._state = state

    def _changed(self, seq: int, before: AttemptState, after: AttemptState) -> None:
        if after.searches is not before.searches:
            self._searched(seq, before, after)
        if after.citations is not before.citations:
            self._cited.follow(seq, after.citations)
        if after.bookmarks is not before.bookmarks:
            self._bookmarked.follow(seq, after.bookmarks)
        if after.fields is not before.fields:
            self._set(seq, before.fields, after.fields)
        for name, old, new in (
            ("answer", before.answer_text, after.answer_text),
            ("question", before.question_text or "", after.question_text or ""),
            ("note", before.note, after.note),
            ("scratchpad", before.scratchpad, after.scratchpad),
            ("transcript", _page_text(before), _page_text(after)),
        ):
            if old != new:
                self.texts[name].append(edit(seq, old, new))
        if after.tables is not before.tables:
            self._follow_tables(seq, after.tables)
        if after.transcript is not before.transcript:
            self._follow_patches(seq, before, after)

    def _follow_tables(self, seq: int, tables: Tables) -> None:
        """Note the change of the tables' JSON; only the table that changed is written again."""
        self._table_texts = {
            table.id: known
            if (known := self._table_texts.get(table.id)) is not None and known[0] is table
            else (table, table_json(table))
            for table in tables.tables
        }
        texts = [text for _, text in self._table_texts.values()]
        after = f"[{','.join(texts)}]" if texts else ""
        if after != self._tables_text:
            self.texts["tables"].append(edit(seq, self._tables_text, after))
            self._tables_text = after

    def _follow_patches(self, seq: int, before: AttemptState, after: AttemptState) -> None:
        """Note each patch whose state changes, or that is elsewhere than the edit moves it."""
        old, new = _page_text(before), _page_text(after)
        end = _units(old) - edit(seq, old, new).end
        growth = _units(new) - _units(old)
        units = _UnitPositions(new)
        patches = after.transcript.patches if after.transcript else ()
        current = {(patch.round, patch.id): patch for patch in patches}
        for key, patch in current.items():
            life = self._patches.get(key)
            if life is None:
                life = PatchLife(patch.id, patch.removed, patch.inserted, patch.reason, ())
                self._patches[key] = life
            at = None if patch.at is None else units.convert(patch.at)
            last = self._patch_places.get(key)
            expected = None if last is None else moved(last.at, end, growth)
            self._patch_places[key] = PatchPlace(seq, patch.state, at)
            if last is None or last.state != patch.state or expected != at:
                places = (*life.places, PatchPlace(seq, patch.state, at))
                self._patches[key] = replace(life, places=places)
        for key in [key for key in self._patch_places if key not in current]:
            del self._patch_places[key]
            life = self._patches[key]
            places = (*life.places, PatchPlace(seq, None, None))
            self._patches[key] = replace(life, places=places)

    def _searched(self, seq: int, before: AttemptState, after: AttemptState) -> None:
        for search in after.searches[len(before.searches) :]:
            self.searches.append(
                SearchShown(
                    seq=seq,
                    query=search.query,
                    refusal=search.refusal,
                    total=search.total_hits,
                    results=search.results[: self._room],
                    n_results=len(search.results),
                )
            )

    def _replace_boxes(self, seq: int, boxes: tuple[PageBox, ...]) -> None:
        """Replace all boxes, as merging gold does."""
        box_ids = {box.id for box in boxes}
        for box in self._pages.boxes:
            if box.id not in box_ids:
                self._box(seq, box, is_deleted=True)
        self._pages.replace(boxes)
        for box in boxes:
            self._box(seq, box, is_deleted=box.deleted)

    def _box(self, seq: int, box: PageBox, *, is_deleted: bool) -> None:
        _, states = self._boxes.setdefault(box.id, ((box.document, box.page), []))
        rect = None if is_deleted else box.rect
        last = states[-1] if states else None
        if last is None or (last.rect, last.label, last.verdict) != (rect, box.label, box.verdict):
            states.append(BoxState(seq, rect, box.label, box.verdict))

    def _set(self, seq: int, before: tuple[FieldValue, ...], after: tuple[FieldValue, ...]) -> None:
        old = {_target(value): value for value in before}
        new = {_target(value): value for value in after}
        changed = [v for key, v in new.items() if key not in old or old[key].value != v.value]
        for value in changed:
            self.fields.append(_change(seq, value, in_words(value.value)))
        for key, value in old.items():
            if key not in new:
                self.fields.append(_change(seq, value, None))


def table_json(table: Table) -> str:
    """A table as the browser shows it: rows of cells, and what somebody changed or flagged."""
    rows: list[list[dict[str, Any]]] = [[] for _ in range(table.n_rows)]
    for cell in sorted(table.cells, key=lambda cell: cell.anchor):
        shown = {
            "text": cell.text,
            "rowspan": cell.rowspan if cell.rowspan > 1 else None,
            "colspan": cell.colspan if cell.colspan > 1 else None,
            "header": cell.header or None,
            "changed": cell.added or cell.model_text is not None or None,
            "flag": None if cell.flag is None else _flag_words(cell.flag),
        }
        rows[cell.row].append({name: value for name, value in shown.items() if value is not None})
    flag = "" if table.flag is None else _flag_words(table.flag)
    shown_table = {"id": table.id, "caption": table.caption, "flag": flag, "rows": rows}
    return json.dumps(shown_table, ensure_ascii=False, separators=(",", ":"))


def _flag_words(flag: CellFlag) -> str:
    kind = gettext(FLAG_KINDS[flag.kind])
    return f"{kind}: {flag.note}" if flag.note else kind


def edit(seq: int, before: str, after: str) -> Edit:
    """The change from one text to the next: what both begin and end with stays."""
    start = _common(len(before), len(after), lambda n: before[:n] == after[:n])
    rest = (len(before) - start, len(after) - start)
    end = _common(*rest, lambda n: before[len(before) - n :] == after[len(after) - n :])
    return Edit(
        seq=seq,
        start=_units(before[:start]),
        end=_units(before[len(before) - end :]),
        insert=after[start : len(after) - end],
    )


def moved(at: int | None, end: int, growth: int) -> int | None:
    """Where a patch begins after an edit of the text up to ``end``, unless the edit touches it."""
    return at + growth if at is not None and at >= end else at


class _UnitPositions:
    """Converts positions in a text to UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._pairs = [match.start() for match in _PAIR.finditer(text)]

    def convert(self, position: int) -> int:
        """That of a position, or of the end of the text for one behind it."""
        point = min(position, self._length)
        return point + bisect_left(self._pairs, point)


def _page_text(state: AttemptState) -> str:
    return state.transcript.text if state.transcript else ""


def in_words(value: Value) -> str:
    """A field's value as it is read."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, tuple):
        text = ", ".join(value) or "nothing"
    elif isinstance(value, float):
        text = f"{value:g}"
    else:
        text = str(value)
    return shortened(text, _MAX_VALUE)


def _target(value: FieldValue) -> tuple[str, str | None, int | None, str | None]:
    return value.field, value.document, value.page, value.box


def _change(seq: int, value: FieldValue, words: str | None) -> FieldChange:
    page = None
    if value.document is not None and value.page is not None:
        page = (value.document, value.page)
    return FieldChange(seq, value.field, page, value.box, words)


def _common(left: int, right: int, is_same: Callable[[int], bool]) -> int:
    """The greatest length up to which both are the same, by halving: ``is_same`` is fast."""
    low, high = 0, min(left, right)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_same(middle) else (low, middle - 1)
    return low


def _units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
