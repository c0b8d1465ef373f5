"""Labels for annotators whose names a campaign hides from its reviewers.

This avoids bias and protects nothing: other screens and exports show the names. The labels are
shuffled for each task, so they do not follow from names or from the order of joining.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, Select, bindparam, select, union

from pagetrail.annotation.attempts.review_state import Review
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.tasks.batches import order_for
from pagetrail.storage.database.tables import Assignment, Attempt, Campaign, Task, User
from pagetrail.storage.people.system_roles import NOT_PEOPLE
from pagetrail.storage.review.submissions import StartedAttempt, TaskWork
from pagetrail.storage.review.unfinished_work import UnfinishedWork

_HIDES = Campaign.protocol["review"]["hide_names"].as_boolean()


def _people_of(link: Select[int, int]) -> Select[int, str, int, str, str]:
    links = link.subquery()
    return (
        select(Task.id, Task.key, Campaign.seed, User.name, User.pseudonym)
        .join(links, links.c.task == Task.id)
        .join(User, User.id == links.c.person)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(_HIDES, User.role.not_in(NOT_PEOPLE))
    )


_IN_TASKS = Task.id.in_(bindparam("tasks", expanding=True))
_PEOPLE = union(
    _people_of(
        select(Task.id.label("task"), Assignment.user_id.label("person"))
        .join(Assignment, Assignment.batch_id == Task.batch_id)
        .where(_IN_TASKS)
    ),
    _people_of(
        select(Task.id.label("task"), Attempt.user_id.label("person"))
        .join(Attempt, Attempt.task_id == Task.id)
        .where(_IN_TASKS)
    ),
)
"""Everybody who is or was assigned a task."""


@dataclass(frozen=True)
class HiddenNames:
    """The labels that reviewers of one task read instead of its annotators' names.

    Attributes:
        labels: name → label; empty if names are shown.
    """

    labels: Mapping[str, str] = field(default_factory=dict)

    def label(self, name: str) -> str:
        """The label shown for a name; people who never had the task keep theirs."""
        return self.labels.get(name, name)

    def in_text(self, text: str) -> str:
        """A text with the names in it replaced, if they are whole words."""
        if not self.labels:
            return text
        longest_first = sorted(self.labels, key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda match: self.labels[match[0]], text)

    def in_task_work(self, task_work: TaskWork) -> TaskWork:
        """The work with labels as names, sorted by label."""
        if not self.labels:
            return task_work
        attempts = sorted(map(self._relabelled, task_work.attempts), key=lambda a: a.name)
        gold = task_work.gold
        if gold is not None and gold.state.review is not None:
            state = gold.state.model_copy(update={"review": self._in_review(gold.state.review)})
            gold = replace(gold, state=state)
        return replace(task_work, attempts=tuple(attempts), gold=gold)

    def in_unfinished(self, unfinished: UnfinishedWork) -> UnfinishedWork:
        """Those who still have to submit, with labels as names."""
        people = [replace(person, name=self.label(person.name)) for person in unfinished.people]
        return replace(unfinished, people=tuple(sorted(people, key=lambda person: person.name)))

    def _relabelled(self, attempt: StartedAttempt) -> StartedAttempt:
        comments = tuple(
            comment.model_copy(update={"by": self.label(comment.by)})
            for comment in attempt.state.comments
        )
        state: AttemptState = attempt.state.model_copy(update={"comments": comments})
        return replace(attempt, name=self.label(attempt.name), state=state)

    def _in_review(self, review: Review) -> Review:
        sources = tuple(
            source.model_copy(update={"annotator": self.label(source.annotator)})
            for source in review.sources
        )
        return review.model_copy(update={"sources": sources, "reason": self.in_text(review.reason)})


def hidden_names(connection: Connection, task_ids: Sequence[int]) -> dict[int, HiddenNames]:
    """By task id: the labels of those of these tasks whose campaign hides names."""
    people: dict[int, dict[str, str]] = {}
    for row in connection.execute(_PEOPLE, {"tasks": [*task_ids]}):
        people.setdefault(row.id, {})[row.name] = f"{row.seed}:{row.key}:{row.pseudonym}"
    return {task: HiddenNames(_labels(keys)) for task, keys in people.items()}


def hides_names(connection: Connection, campaign_id: int) -> bool:
    """Whether a campaign hides its annotators' names from reviewers."""
    return bool(connection.execute(select(_HIDES).where(Campaign.id == campaign_id)).scalar())


def _labels(keys: Mapping[str, str]) -> dict[str, str]:
    """Name → label, in the order of SHA-256 of its key."""
    names = {key: name for name, key in keys.items()}
    return {
        names[key]: f"Annotator {letter}"
        for key, letter in zip(order_for(list(names), 0), _letters(), strict=False)
    }


def _letters() -> Iterable[str]:
    """A, B, … Z, ZA, ZB, …: sorted, without end."""
    prefix = ""
    while True:
        for code in range(ord("A"), ord("Z") + 1):
            yield prefix + chr(code)
        prefix += "Z"
