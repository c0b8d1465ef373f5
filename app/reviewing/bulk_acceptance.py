"""Accepting the tasks of the filtered queue at once: a preview of the gold, then the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import uuid4

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.reviewing.queue_address import ahead
from pagetrail.app.reviewing.wording import shortened
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import overseeing
from pagetrail.app.ui.local_time import grouped
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.review.bulk_acceptance import (
    MOST_AT_ONCE,
    Accepted,
    Proposed,
    accept,
    propose,
)
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue

_OPEN, _REASON, _DONE = "bulk-open", "bulk-reason", "bulk-done"
_OUTCOMES = {
    "answered": "",
    "not_found": "No answer found",
    "unanswerable": "Unanswerable",
    "completed": "Completed",
}
_LISTED = 5


def bulk_button(app: Services, person: Person, campaigns: Sequence[int], filters: Filters) -> None:
    """The button; it makes the preview, which the dialog shows until it is answered."""
    if st.button(
        "Accept several…",
        icon=":material/done_all:",
        width="stretch",
        help="Preview the gold of the tasks below, then accept those that nothing speaks against.",
    ):
        found = queue(
            app.workspace.engine,
            campaigns,
            ahead(filters),
            app.clock.now(),
            limit=MOST_AT_ONCE,
        )
        ids = [row.task_id for row in found.rows]
        with st.spinner("Working out the gold…"):
            proposed = propose(app.reviews, ids, person.name)
        st.session_state[_OPEN] = (f"bulk/{uuid4().hex}", proposed, found.total)
    if _OPEN in st.session_state:
        _dialog(app, person)
    _show_done()


@st.dialog("Accept several tasks", width="large", on_dismiss=lambda: _forget())
def _dialog(app: Services, person: Person) -> None:
    if _OPEN not in st.session_state:
        st.rerun()
    run, proposed, total = st.session_state[_OPEN]
    ready = [each for each in proposed if not each.left_out]
    st.markdown(_summary(proposed, ready, total))
    if proposed:
        st.dataframe(
            _frame([*ready, *_left_out(proposed)]),
            hide_index=True,
            width="stretch",
            height=min(36 * (len(proposed) + 1) + 2, 420),
            placeholder="",
            column_config={
                "Question": st.column_config.TextColumn(width=260),
                "Gold": st.column_config.TextColumn(width=220),
            },
        )
    if not ready:
        return
    st.text_input(
        "Reason", key=_REASON, max_chars=500, placeholder="Stored with every decision; optional"
    )
    noun = "task" if len(ready) == 1 else "tasks"
    if st.button(f"Accept {grouped(len(ready))} {noun}", type="primary", key="bulk-accept"):
        st.session_state[_DONE] = _carry_out(app, person, run, ready)
        _forget()
        st.rerun()


def _carry_out(app: Services, person: Person, run: str, ready: list[Proposed]) -> list[Accepted]:
    """Accept one after the other, as long as the person may."""
    reason = str(st.session_state.get(_REASON) or "").strip()
    done: list[Accepted] = []
    shown = st.progress(0.0, text="Accepting…")
    for number, each in enumerate(ready, start=1):
        try:
            # Checked each time: it takes a while, and the role may change meanwhile.
            now = find_person(app.workspace, person.name)
            overseeing(app, now, f"bulk acceptance of {each.key}")
        except PagetrailError as error:
            done += [Accepted(left.key, error.message) for left in ready[number - 1 :]]
            break
        done += accept(app.reviews, [each], now.name, reason, run)
        shown.progress(number / len(ready), text=f"{grouped(number)} of {grouped(len(ready))}")
    return done


def _forget() -> None:
    st.session_state.pop(_OPEN, None)


def _summary(proposed: list[Proposed], ready: list[Proposed], total: int) -> str:
    said = f"**{grouped(len(ready))} of {grouped(len(proposed))}** can be accepted as shown."
    if total > len(proposed):
        said += f" These are the first {grouped(len(proposed))} of {grouped(total)}; "
        said += "the others come next time."
    if not proposed:
        said = "No task of the list waits for a decision."
    elif len(ready) < len(proposed):
        said += " The others have to be looked at one by one; the last column says why."
    return said


def _left_out(proposed: list[Proposed]) -> list[Proposed]:
    return [each for each in proposed if each.left_out]


def _frame(proposed: list[Proposed]) -> pd.DataFrame:
    frame = pd.DataFrame([_row(each) for each in proposed])
    campaigns = [each.campaign for each in proposed]
    if len(set(campaigns)) > 1:
        frame.insert(0, "Campaign", campaigns)
    return frame


def _row(each: Proposed) -> dict[str, str]:
    pages = Counter(document for document, _ in each.pages)
    gold = "; ".join(each.answer) or _OUTCOMES.get(each.outcome or "", "")
    return {
        "Key": each.key,
        "Question": shortened(each.question, 160),
        "Gold": shortened(gold, 200),
        "Pages": ", ".join(
            f"{document} {', '.join(str(n) for d, n in each.pages if d == document)}"
            for document in pages
        ),
        "Left out": each.left_out,
    }


def _show_done() -> None:
    done: list[Accepted] | None = st.session_state.pop(_DONE, None)
    if done is None:
        return
    refused = [each for each in done if each.refused]
    number = len(done) - len(refused)
    st.toast(
        f"{grouped(number)} {'task' if number == 1 else 'tasks'} accepted.", icon=":material/check:"
    )
    for each in refused[:_LISTED]:
        st.warning(literal(f"{each.key}: {each.refused}"))
    if len(refused) > _LISTED:
        st.warning(
            f"{grouped(len(refused) - _LISTED)} more were refused. They are still in the list."
        )
