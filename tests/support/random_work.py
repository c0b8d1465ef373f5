"""Random events for comparing the browser's fold and forms with the server's."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.history import step_before
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.geometry.element import Element, Row
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.fields import FIELD_KINDS, FieldSpec, Kind, Value
from pagetrail.annotation.protocols.protocol import Protocol, parse
from pagetrail.annotation.tables.cells import FixesConfirmed, FlagSet
from tests.support.factory import events_at
from tests.support.random_tables import random_change, random_layout

PAGES = [("a.pdf", 1), ("a.pdf", 2), ("b.pdf", 1), ("b.pdf", 2), ("b.pdf", 3)]
BOXES = ["b-1", "b-2", "b-3", "e1", "e2", "e3"]
TEXTS = ["", " \x85\u3000", "x\ny", " z ", "\ufeff"]

_WRITTEN = """
name = "everything"
title = "All kinds at all scopes"
pages = "given"
ends = { field = "usable", values = ["false"] }
[boxes]
enabled = true
required = true
seed = true
check_all = true
labels = [{ name = "Text" }, { name = "Table" }]
when = { field = "grade", values = ["1"] }
[tables]
enabled = true
[question]
kind = "editable"
checks = true
blocking = ["giveaway", "overlap"]
[[fields]]
name = "usable"
label = "Usable"
kind = "boolean"
required = true
[[fields]]
name = "sort"
label = "Sort"
kind = "choice"
options = [{ value = "a", label = "A" }, { value = "b", label = "B" }]
[[fields]]
name = "grade"
label = "Grade"
scope = "page"
kind = "ordinal"
required = true
options = [{ value = "0", label = "No", code = 0 }, { value = "1", label = "Yes", code = 1 }]
[[fields]]
name = "parts"
label = "Parts"
scope = "box"
kind = "multi"
required = true
when = { field = "grade", values = ["1"] }
options = [
    { value = "head", label = "Head" },
    { value = "body", label = "Body", when = { field = "usable", values = ["true"] } },
]
[[fields]]
name = "why"
label = "Why"
scope = "box"
kind = "text"
required = true
when = { field = "parts", values = ["body"] }
[[fields]]
name = "size"
label = "Size"
scope = "page"
kind = "number"
required = true
[[fields]]
name = "cells"
label = "Cells"
scope = "page"
kind = "records"
required = true
columns = [{ name = "a", label = "A", required = true }, { name = "b", label = "B" }]
[[fields]]
name = "notes"
label = "Notes"
scope = "box"
kind = "records"
columns = [{ name = "a", label = "A", required = true }]
"""


def _field_of(kind: Kind) -> str:
    options = 'options = [{ value = "a", label = "A" }, { value = "b", label = "B" }]'
    return f"""
        [[fields]]
        name = "{kind}"
        label = "{kind}"
        kind = "{kind}"
        {options if FIELD_KINDS[kind].takes_options else ""}
        """


ALL_KINDS = parse(
    _WRITTEN
    + "".join(_field_of(kind) for kind in FIELD_KINDS if f'kind = "{kind}"' not in _WRITTEN),
    source="everything.toml",
)
"""Fields of every kind: those of kinds without one above are for the task."""


def states(
    rng: random.Random, protocol: Protocol, count: int
) -> Iterator[tuple[ev.Event, AttemptState]]:
    """Random events, many of them meeting the same pages, boxes and rows, and the states after."""
    state = AttemptState()
    for number in range(count):
        payload = payload_for(rng, protocol, state)
        event, state = _stored(rng, state, number, payload, undo_share=0.3)
        yield event, state


def payload_for(rng: random.Random, protocol: Protocol, state: AttemptState) -> ev.Payload:
    """Any event; rules are not looked at, so that the folds meet what a log may hold."""
    if protocol.tables.enabled and rng.random() < 0.5:
        return _on_table(rng, state)
    if protocol.fields and rng.random() < 0.45:
        return _on_field(rng, rng.choice(protocol.fields), state)
    if rng.random() < 0.6:
        return _on_box(rng, protocol, state)
    return _other(rng)


SIGNS = "ab |#-\n\U0001f600e\u0301\u05d0\u6f22"
"""Characters of random texts: of one and two UTF-16 units, combining, from right to left."""


def transcript_states(rng: random.Random, count: int) -> Iterator[tuple[ev.Event, AttemptState]]:
    """Random work on the text of a page, with a model's patches, in rounds."""
    state = AttemptState()
    for number in range(count):
        payload = _on_transcript(rng, state, number)
        event, state = _stored(rng, state, number, payload, undo_share=0.2)
        yield event, state


def _stored(
    rng: random.Random, state: AttemptState, number: int, payload: ev.Payload, undo_share: float
) -> tuple[ev.Event, AttemptState]:
    """The payload, or sometimes its undoing, as the next event, and the state after it."""
    if isinstance(payload, ev.UndoableEdit) and rng.random() < undo_share:
        payload = _undoing(rng, state, payload)
    (event,) = events_at((float(number), payload))
    event = event.model_copy(update={"seq": state.last_seq + 1, "client_event_id": f"c-{number}"})
    return event, apply(state, event)


def _signs(rng: random.Random, most: int) -> str:
    return "".join(rng.choices(SIGNS, k=rng.randint(0, most)))


def _on_transcript(rng: random.Random, state: AttemptState, number: int) -> ev.Payload:
    transcript = state.transcript
    place: dict[str, Any] = {"document": "a.pdf", "page": 1}
    if transcript is None:
        text = _signs(rng, 200)
        return ev.TranscriptGiven(**place, text=text, text_sha256=text_hash(text))
    chance = rng.random()
    if number == 1 or chance < 0.05:
        patches = tuple(
            ev.ProposedPatch(id=f"{number}-{i}", **_replacement(rng, transcript.text, 6))
            for i in range(rng.randint(0, 12))
        )
        digest = text_hash(transcript.text)
        return ev.PatchesGiven(**place, round=transcript.round, text_sha256=digest, patches=patches)
    if chance < 0.07:
        return ev.RoundStarted(number=transcript.round + 1, model=rng.choice([None, "m"]))
    if chance < 0.1:
        return ev.NoteEdited(text=_signs(rng, 5))
    if last := _last_step(rng, state):
        return last
    ids = [patch.id for patch in transcript.patches]
    decision = rng.choice(["accepted", "accepted", "rejected", "open"])
    if ids and chance < 0.45:
        return ev.PatchDecided(**place, patch=rng.choice([*ids, "unknown"]), decision=decision)
    if ids and chance < 0.55:
        chosen = tuple(rng.sample(ids, rng.randint(1, len(ids))))
        return ev.PatchesDecided(**place, patches=chosen, decision=decision)
    crc = rng.choice([None, zlib.crc32(transcript.text.encode()), 7])
    edits = _edits(rng, transcript.text)
    return ev.TextEdited(**{**place, "page": rng.choice([1, 1, 1, 2])}, edits=edits, text_crc32=crc)


def _last_step(rng: random.Random, state: AttemptState) -> ev.Payload | None:
    """The event that undoes or redoes the last change of the text, now and then."""
    steps = [step for step in rng.choice([state.undo, state.redo]) if step.transcript]
    if not steps or rng.random() > 0.4:
        return None
    step = steps[-1]
    assert step.transcript is not None
    place: dict[str, Any] = {"document": "a.pdf", "page": 1, "undoes": step.id}
    if step.transcript.decision is None:
        return ev.TextEdited(**place, edits=step.transcript.edits, source="undo")
    decided = {"patches": step.transcript.patches, "decision": step.transcript.decision}
    return ev.PatchesDecided(**place, **decided)


def _replacement(rng: random.Random, text: str, most: int) -> dict[str, Any]:
    at = rng.randint(0, len(text))
    removed = text[at : at + rng.randint(0, most)]
    inserted = _signs(rng, most)
    return {"at": at, "removed": removed, "inserted": inserted}


def _edits(rng: random.Random, text: str) -> tuple[ev.TextEdit, ...]:
    """One or more edits, some of which do not fit the text."""
    edits: list[ev.TextEdit] = []
    end = 0
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        edit = ev.TextEdit(**_replacement(rng, text, 5))
        if edit.at >= end and edit.removed != edit.inserted:
            edits.append(edit)
            end = edit.end
    if not edits:
        return (ev.TextEdit(at=0, removed="", inserted="x"),)
    if rng.random() < 0.1:
        edits[-1] = edits[-1].model_copy(update={"removed": "differs"})
    return tuple(edits)


def _undoing(rng: random.Random, state: AttemptState, payload: ev.UndoableEdit) -> ev.Payload:
    """The event as one that undoes or redoes a change, of its own value where there is one."""
    step = step_before(state, payload, "")
    steps = (*state.undo, *state.redo)
    same_value = [other for other in steps if step and other.target == step.target]
    if not steps:
        return payload
    return payload.model_copy(update={"undoes": rng.choice(same_value or steps).id})


def _random_page(rng: random.Random) -> dict[str, Any]:
    document, page = rng.choice(PAGES)
    return {"document": document, "page": page}


def _rect(rng: random.Random) -> tuple[float, float, float, float]:
    x, y = rng.randint(0, 40_000) / 100, rng.randint(0, 50_000) / 100
    return (x, y, round(x + rng.randint(1, 9_000) / 100, 2), round(y + 1.25, 2))


def _element(rng: random.Random, number: int, page_fields: dict[str, Any]) -> Element:
    return Element(
        id=f"m{number}",
        rect=_rect(rng),
        label=rng.choice([None, "Text", "Table"]),
        content=rng.choice([None, "", "cell"]),
        order=rng.choice([None, 0, 4]),
        attributes=rng.choice([{}, {"level": "1"}]),
        score=rng.choice([None, 0.5]),
        **page_fields,
    )


def _on_box(rng: random.Random, protocol: Protocol, state: AttemptState) -> ev.Payload:
    page_fields = _random_page(rng)
    box = rng.choice([*BOXES, *(b.id for b in state.boxes.boxes)])
    label = rng.choice([entry.name for entry in protocol.boxes.labels] or ["Text", "Table"])
    model_boxes = [b for b in state.boxes.boxes if b.model]
    original = rng.choice(model_boxes).model if model_boxes else None
    makers: list[Any] = [
        lambda: ev.ElementsSeeded(
            **page_fields,
            elements=tuple(_element(rng, n, page_fields) for n in range(rng.randint(0, 3))),
        ),
        lambda: ev.BoxMoved(box=box, rect=original.rect if original else _rect(rng)),
        lambda: ev.BoxResized(box=box, rect=_rect(rng)),
        lambda: ev.BoxLabelled(box=box, label=(original and original.label) or label),
        lambda: ev.BoxContentEdited(
            box=box, content=rng.choice(["", "cell", "other"]), filled=rng.random() < 0.3
        ),
        lambda: ev.BoxOrdered(box=box, order=rng.choice([None, 0, 3.5, 4, 7])),
        lambda: ev.BoxAttributesEdited(box=box, attributes=rng.choice([{}, {"level": "1"}])),
        lambda: ev.BoxDeleted(box=box),
    ]
    makers += [lambda: ev.BoxAccepted(box=box, accepted=rng.random() < 0.8)] * 2
    makers += [
        lambda: ev.BoxDrawn(
            box=rng.choice(["b-1", "b-2", f"b-{rng.randint(3, 40)}"]),
            **page_fields,
            rect=_rect(rng),
            label=label,
            how=rng.choice(["drawn", "duplicated"]),
            copy_of=rng.choice([None, box]),
            order=rng.choice([None, 0, 4.25]),
        )
    ] * 3
    makers += [lambda: _turn(rng, state, ev.Undone, "undo")] * 4
    makers += [lambda: _turn(rng, state, ev.Redone, "redo")] * 3
    payload: ev.Payload = rng.choice(makers)()
    return payload


def _turn(rng: random.Random, state: AttemptState, kind: Any, stack: Any) -> ev.Payload:
    changes = state.boxes.undo if stack == "undo" else state.boxes.redo
    if not changes or rng.random() < 0.1:
        payload: ev.Payload = kind(**_random_page(rng), change=f"c-{rng.randint(0, 99)}")
        return payload
    change = rng.choice(changes)
    last = state.boxes.last(stack, change.document, change.page)
    payload = kind(document=change.document, page=change.page, change=(last or change).id)
    return payload


def _on_field(rng: random.Random, spec: FieldSpec, state: AttemptState) -> ev.Payload:
    target: dict[str, Any] = {
        "task": {},
        "page": _random_page(rng),
        "box": {"box": rng.choice([*BOXES, *(b.id for b in state.boxes.boxes)])},
    }[spec.scope]
    if spec.kind != "records":
        return ev.FieldSet(field=spec.name, **target, value=_value(rng, spec))
    cells = {column.name: rng.choice([*TEXTS, "1"]) for column in spec.columns}
    some_cells = {name: cell for name, cell in cells.items() if rng.random() < 0.7}
    row = rng.choice(["r1", "r2", "r-new", "r-other"])
    match rng.randint(0, 8):
        case 8:
            changed_rows = rng.sample(["r1", "r2", "r-new", "r-other"], rng.randint(1, 3))
            return ev.RowsSet(
                field=spec.name, **target, rows=dict.fromkeys(changed_rows, some_cells)
            )
        case 7:
            before = rng.choice([None, "r1", "r2", "r-new"])
            return ev.RowMoved(field=spec.name, **target, row=row, before=before)
        case 0:
            rows = (Row(id="1", values=some_cells), Row(id="2", values=cells))
            return ev.RowsSeeded(field=spec.name, **target, rows=rows)
        case 1:
            return ev.RowDeleted(field=spec.name, **target, row=row)
        case _:
            return ev.RowSet(field=spec.name, **target, row=row, values=some_cells)


def _on_table(rng: random.Random, state: AttemptState) -> ev.Payload:
    """Mostly a change of the table, of its present structure."""
    page_fields: dict[str, Any] = {"document": "a.pdf", "page": 1}
    table = state.tables.table("t1")
    if table is None or rng.random() < 0.03:
        layout = random_layout(rng)
        given = ev.GivenTable(
            id=rng.choice(["t1", "t1", "t2"]),
            **layout._asdict(),
            removed=rng.choice([(), ("a | b",)]),
            answered_flag=rng.choice([None, {"kind": "missing"}]),
        )
        round_number = rng.randint(1, 3)
        return ev.TablesGiven(**page_fields, round=round_number, tables=(given,))
    work: dict[str, Any] = {**page_fields, "table": "t1", "structure": table.structure}
    match random_change(rng, table.layout):
        case FlagSet() as change:
            flag = change.flag.model_dump() if change.flag else {}
            cell = {} if rng.random() < 0.2 else {"row": change.row, "column": change.column}
            return ev.CellFlagged(**work, **cell, **flag)
        case FixesConfirmed() as change:
            return ev.CellConfirmed(
                **work,
                cells=change.cells,
                confirmed=change.confirmed,
                removed=rng.random() < 0.2,
            )
        case change:
            return ev.TableEdited(**work, change=change)


def _value(rng: random.Random, spec: FieldSpec) -> Value:
    options = [option.value for option in spec.options]
    values: Sequence[Value] = options or spec.rules.examples
    if spec.kind == "multi":
        values = [(), *(tuple(rng.sample(options, k)) for k in range(1, len(options)))]
    elif spec.kind == "text":
        values = TEXTS
    value: Value = rng.choice([None, *values])
    return value


def _finding(rng: random.Random) -> Finding:
    return Finding(
        check=rng.choice(["giveaway", "extractive", "overlap"]),
        status=rng.choice(["ok", "warning", "skipped"]),
        message="A sentence.",
        words=("page",),
        spans=((0, 4),),
        pages=(("a.pdf", 1),),
    )


def _other(rng: random.Random) -> ev.Payload:
    page_fields = _random_page(rng)
    search_fields: dict[str, Any] = rng.choice([{}, {"search_id": "s1", "rank": rng.randint(1, 5)}])
    difference = ev.Difference(part="answer", label="Answer", yours="a")
    score = ev.PartScore(part="answer", right=True, score=1)
    makers = (
        lambda: ev.Opened(session="s"),
        lambda: ev.PageViewed(**page_fields, **search_fields, via="next"),
        lambda: ev.ViewChanged(fit="none", zoom=rng.randint(50, 400), rotation=90),
        lambda: ev.TextCopied(**page_fields, text="a word", to=rng.choice(["answer", "clipboard"])),
        lambda: ev.PageTextRead(**page_fields),
        lambda: ev.DocumentSearched(document=page_fields["document"], text="x", hits=2, pages=1),
        lambda: ev.PageBeside(**rng.choice([page_fields, {"document": None, "page": None}])),
        lambda: ev.CitationAdded(**page_fields, **search_fields),
        lambda: ev.CitationRemoved(**page_fields),
        lambda: ev.AnswerEdited(text=rng.choice(TEXTS)),
        lambda: ev.QuestionEdited(text=rng.choice(TEXTS)),
        lambda: ev.QuestionSeeded(text=rng.choice(TEXTS)),
        lambda: ev.NoteEdited(text=rng.choice(["", "note"])),
        lambda: ev.ScratchpadEdited(text=rng.choice(["", "12 m", "x\ny"])),
        lambda: ev.PageBookmarked(**page_fields),
        lambda: ev.PageBookmarked(**page_fields),
        lambda: ev.BookmarkRemoved(**page_fields),
        lambda: ev.Calculated(expression="1+2", result="3"),
        lambda: ev.BatchAidsCarried(bookmarks=(page_fields,), scratchpad="before"),
        lambda: ev.Flagged(comment=rng.choice(["", "why"])),
        lambda: ev.Unflagged(),
        lambda: ev.Paused(),
        lambda: ev.Resumed(),
        lambda: ev.TabHidden(),
        lambda: ev.TabShown(),
        lambda: ev.Reconnected(offline_ms=5),
        lambda: ev.TimeCorrected(clock_ms=-3_600_000, counted_ms=4_000),
        lambda: ev.GuidelinesOpened(),
        lambda: ev.ContradictionConfirmed(
            field="modalities",
            **page_fields,
            chosen=rng.choice([("text",), ("table",), ()]),
            drawn=rng.choice([("text",), ("chart",)]),
        ),
        lambda: ev.Checked(at_seq=rng.randint(0, 300), findings=(_finding(rng), _finding(rng))),
        lambda: ev.FeedbackGiven(right=False, score=0.5, parts=(score,)),
        lambda: ev.GoldDisputed(reason="The table says 13."),
        lambda: ev.Skipped(reason="broken"),
        lambda: ev.Submitted(outcome=rng.choice(["not_found", "completed"])),
        lambda: ev.Reopened(),
        lambda: ev.Commented(text="why?"),
        lambda: ev.Returned(comment="again", differences=(difference,)),
    )
    payload: ev.Payload = rng.choice(makers)()
    return payload
