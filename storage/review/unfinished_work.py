"""Who is still working on a task under review, so that nobody overlooks them in deciding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, bindparam, select

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import MAX_REASON
from pagetrail.storage.database.tables import Assignment, Task, User
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.review.submissions import TaskWork
from pagetrail.storage.review.task_rows import people_of

NAMED = 5
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
_STATE_WORDS = {"returned": "returned", "open": "still working on it", "new": "not started"}


@dataclass(frozen=True)
class Pending:
    """Somebody who still has to submit the task: again, after starting it, or from the start."""

    name: str
    state: Literal["returned", "open", "new"]


@dataclass(frozen=True)
class Unfinished:
    """The work that a task still waits for.

    Attributes:
        people: those who have it and have not submitted it, by name.
        places: free slots, not assigned to anybody yet.
    """

    people: tuple[Pending, ...]
    places: int


def unfinished(connection: Connection, work: TaskWork) -> Unfinished:
    """What the task still waits for. In a closed campaign that is only what was sent back."""
    handed = {w.name for w in work.people if w.handed_in}
    states = {w.name: w.state for w in work.people if not w.handed_in}
    waiting = {name for name, state in states.items() if state.returned}
    if work.task.open:
        assigned = connection.execute(_ASSIGNED, {"task": work.task.id}).scalars()
        waiting.update(name for name in assigned if name not in handed)
    people = []
    for name in sorted(waiting):
        state = states.get(name)
        if state is not None and state.returned:
            people.append(Pending(name, "returned"))
        else:
            people.append(Pending(name, "open" if state and state.status == "open" else "new"))
    counted = people_of(work)
    return Unfinished(tuple(people), max(0, counted.expected - counted.handed - len(people)))


def unfinished_sentence(waits_for: Unfinished) -> str:
    """Who still has to submit the task; empty where nobody has to."""
    said = []
    if waits_for.people:
        said.append(f"Still to submit it: {_listed([*map(_with_state, waits_for.people)])}.")
    if waits_for.places:
        more = " more" if waits_for.people else ""
        one = waits_for.places == 1
        people = f"One{more} person is" if one else f"{waits_for.places:,}{more} people are"
        said.append(f"{people} meant for it and not chosen yet.")
    return " ".join(said)


def decide_label(waits_for: Unfinished) -> str:
    """What deciding is called while work is unfinished: short enough for a button."""
    names = [person.name for person in waits_for.people]
    if not names:
        return "Decide now"
    return f"Decide without {_listed(names) if len(names) <= 2 else f'{len(names)} people'}"


def _with_state(person: Pending) -> str:
    return f"{person.name} ({_STATE_WORDS[person.state]})"


def _listed(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def reason_without(
    people: Sequence[Pending], reason: str, shown: Callable[[str], str] = lambda text: text
) -> str:
    """The reason of a decision that did not wait for these people, who are named before it.

    Args:
        shown: what a reviewer may read of a text with names in it.

    Raises:
        Refusal: both together are too long.
    """
    if not people:
        return reason
    said = [_with_state(person) for person in people[:NAMED]]
    if len(people) > NAMED:
        said.append(f"{len(people) - NAMED} more")
    left_out = f"Decided without {_listed(said)}."
    room = MAX_REASON - len(left_out) - 1
    if len(reason) > room:
        raise Refusal(
            f"This reason is too long. After “{shown(left_out)}” there is room for {room:,} "
            "characters.",
            code="too_long",
            field="reason",
        )
    return f"{left_out} {reason}".strip()
