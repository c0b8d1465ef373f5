"""The annotators who still have to submit a task under review, so that deciders notice them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.base import MAX_REASON
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.storage.database.tables import Assignment, Task, User
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.task_rows import work_summary

MAX_NAMES = 5
"""Names in a stored reason at most; further people are counted."""
_ASSIGNED = (
    select(User.name)
    .join(Assignment, Assignment.user_id == User.id)
    .join(Task, Task.batch_id == Assignment.batch_id)
    .where(
        Task.id == bindparam("task"),
        Assignment.status == "open",
        User.role.not_in(NOT_PEOPLE),
    )
)
_STATE_WORDS = {
    "returned": N_("sent back"),
    "open": N_("still working on it"),
    "new": N_("not started"),
}


@dataclass(frozen=True)
class Pending:
    """Somebody who still has to submit the task: again, after starting it, or from the start."""

    name: str
    state: Literal["returned", "open", "new"]


@dataclass(frozen=True)
class UnfinishedWork:
    """The work that a task still waits for.

    Attributes:
        people: its annotators who have not submitted it, by name.
        free_slots: slots that are not assigned to anybody yet.
    """

    people: tuple[Pending, ...]
    free_slots: int


def unfinished_work(connection: Connection, task_work: TaskWork) -> UnfinishedWork:
    """The work that the task waits for; in a closed campaign only returned attempts."""
    done = {attempt.name for attempt in task_work.attempts if attempt.is_done}
    states = {attempt.name: attempt.state for attempt in task_work.attempts if not attempt.is_done}
    waiting = {name for name, state in states.items() if state.returned}
    if task_work.task.open:
        assigned = connection.execute(_ASSIGNED, {"task": task_work.task.id}).scalars()
        waiting.update(name for name in assigned if name not in done)
    people = []
    for name in sorted(waiting):
        state = states.get(name)
        if state is not None and state.returned:
            people.append(Pending(name, "returned"))
        else:
            people.append(Pending(name, "open" if state and state.status == "open" else "new"))
    summary = work_summary(task_work)
    free_slots = max(0, summary.n_expected - summary.n_finished - len(people))
    return UnfinishedWork(tuple(people), free_slots)


def unfinished_sentence(unfinished: UnfinishedWork) -> str:
    """Says who still has to submit the task; empty if nobody has to."""
    sentences = []
    if unfinished.people:
        people = [
            gettext(
                "{person} ({state})", person=person.name, state=gettext(_STATE_WORDS[person.state])
            )
            for person in unfinished.people
        ]
        sentences.append(
            gettext("Still to submit it: {people}.", people=_translated_with_and(people))
        )
        if unfinished.free_slots:
            sentences.append(
                ngettext(
                    "One more person is meant for it and not chosen yet.",
                    "{number:,} more people are meant for it and not chosen yet.",
                    unfinished.free_slots,
                )
            )
    elif unfinished.free_slots:
        sentences.append(
            ngettext(
                "One person is meant for it and not chosen yet.",
                "{number:,} people are meant for it and not chosen yet.",
                unfinished.free_slots,
            )
        )
    return " ".join(sentences)


def decide_label(unfinished: UnfinishedWork) -> str:
    """Label of the button that decides while work is unfinished."""
    names = [person.name for person in unfinished.people]
    if not names:
        return gettext("Decide now")
    if len(names) <= 2:
        return gettext("Decide without {people}", people=_translated_with_and(names))
    return ngettext("Decide without {number} person", "Decide without {number} people", len(names))


def decide_hint(unfinished: UnfinishedWork) -> str:
    """Says that a second press decides nevertheless; ``{key}`` is for the browser to fill."""
    names = [person.name for person in unfinished.people]
    if not names:
        return gettext("Press {key} again to decide now.")
    if len(names) <= 2:
        people = _translated_with_and(names)
        return gettext("Press {key} again to decide without {people}.", key="{key}", people=people)
    return ngettext(
        "Press {key} again to decide without {number} person.",
        "Press {key} again to decide without {number} people.",
        len(names),
        key="{key}",
    )


def _translated_with_and(words: Sequence[str]) -> str:
    *first_words, last = words
    if not first_words:
        return last
    return gettext("{first} and {last}", first=", ".join(first_words), last=last)


def _with_state(person: Pending) -> str:
    return f"{person.name} ({_STATE_WORDS[person.state]})"


def _joined_with_and(words: Sequence[str]) -> str:
    *first_words, last = words
    return f"{', '.join(first_words)} and {last}" if first_words else last


def reason_naming_unfinished(people: Sequence[Pending], reason: str) -> str:
    """The reason of a decision, after the names of the people it did not wait for; it is stored.

    Raises:
        Refusal: both together are too long.
    """
    if not people:
        return reason
    names = [_with_state(person) for person in people[:MAX_NAMES]]
    if len(people) > MAX_NAMES:
        names.append(f"{len(people) - MAX_NAMES} more")
    left_out = f"Decided without {_joined_with_and(names)}."
    room = MAX_REASON - len(left_out) - 1
    if len(reason) > room:
        raise Refusal(
            gettext(
                "This reason is too long. The people left out are named before it, so there is "
                "room for {room:,} characters.",
                room=room,
            ),
            code="too_long",
            field="reason",
        )
    return f"{left_out} {reason}".strip()
