"""A replay script read at an event: what the browser has to show then."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.replay.lifetimes import in_words, table_json
from pagetrail.annotation.replay.script import Edit, Script


def shown_at(script: Script, seq: int) -> dict[str, Any]:
    """What the script says of the state after the event of that number."""
    searches = [s for s in script.searches if s.seq <= seq]
    looks = [look for look in script.looks if look.seq <= seq]
    boxes = {}
    for life in script.boxes:
        states = [state for state in life.states if state.seq <= seq]
        if states and states[-1].rect is not None:
            boxes[life.id] = (life.page, states[-1].rect, states[-1].label, states[-1].verdict)
    fields: dict[Any, str] = {}
    for change in script.fields:
        if change.seq <= seq:
            key = (change.field, change.page, change.box)
            if change.value is None:
                fields.pop(key, None)
            else:
                fields[key] = change.value
    return {
        "query": searches[-1].query if searches else None,
        "results": searches[-1].results if searches else (),
        "page": looks[-1].page if looks else None,
        "citations": [
            c.page for c in script.citations if c.begin <= seq and (c.end is None or c.end > seq)
        ],
        "boxes": boxes,
        "fields": fields,
        "texts": {
            name: rewritten([e for e in script.texts.get(name, ()) if e.seq <= seq])
            for name in ("answer", "question", "note", "transcript", "tables")
        },
    }


def rewritten(edits: list[Edit]) -> str:
    """The text after these edits, counted as a browser counts."""
    text = b""
    for edit in edits:
        tail = text[len(text) - 2 * edit.end :]
        text = text[: 2 * edit.start] + edit.insert.encode("utf-16-le", "surrogatepass") + tail
    return text.decode("utf-16-le", "surrogatepass")


def expected(state: AttemptState) -> dict[str, Any]:
    """The same of a fold."""
    search = state.searches[-1] if state.searches else None
    position = state.position
    return {
        "query": search.query if search else None,
        "results": search.results if search else (),
        "page": (position.document, position.page) if position else None,
        "citations": [(c.document, c.page) for c in state.citations],
        "boxes": {
            box.id: ((box.document, box.page), box.rect, box.label, box.verdict)
            for box in state.boxes.boxes
            if not box.deleted
        },
        "fields": {
            (
                v.field,
                (v.document, v.page) if v.document is not None and v.page is not None else None,
                v.box,
            ): in_words(v.value)
            for v in state.fields
        },
        "texts": {
            "answer": state.answer_text,
            "question": state.question_text or "",
            "note": state.note,
            "transcript": state.transcript.text if state.transcript else "",
            "tables": f"[{','.join(map(table_json, state.tables.tables))}]"
            if state.tables.tables
            else "",
        },
    }
