"""Letters in the place of annotators' names, where a campaign hides them from its reviewers.

It blinds the judgement and protects nothing: other screens and exports keep the names. A task's
letters do not follow the order of names or of joining, and are others in the next task.
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
from pagetrail.storage.review.submissions import TaskWork, Worked
from pagetrail.storage.review.unfinished_work import Unfinished

_HIDES = Campaign.protocol["review"]["hide_names"].as_boolean()


def _people_of(link: Select[int, int]) -> Select[int, str, int, str, str]:
    who = link.subquery()
    return (
        select(Task.id, Task.key, Campaign.seed, User.name, User.pseudonym)
        .join(who, who.c.task == Task.id)
        .join(User, User.id == who.c.person)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(_HIDES, User.role.not_in(NOT_PEOPLE))
    )


_ASKED = Task.id.in_(bindparam("tasks", expanding=True))
_PEOPLE = union(
    _people_of(
        select(Task.id.label("task"), Assignment.user_id.label("person"))
        .join(Assignment, Assignment.batch_id == Task.batch_id)
        .where(_ASKED)
    ),
    _people_of(
        select(Task.id.label("task"), Attempt.user_id.label("person"))
        .join(Attempt, Attempt.task_id == Task.id)
        .where(_ASKED)
    ),
)
"""Everybody who has a task, or has had it."""


@dataclass(frozen=True)
class HiddenNames:
    """What reviewers of one task read instead of its annotators' names.

    Attributes:
        labels: name → label; empty where names are shown.
    """

    labels: Mapping[str, str] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """What is shown for a name; people who never had the task keep theirs."""
        return self.labels.get(name, name)

    def in_text(self, text: str) -> str:
        """A text with the names in it replaced, where they are whole words."""
        if not self.labels:
            return text
        longest_first = sorted(self.labels, key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda found: self.labels[found[0]], text)

    def in_work(self, work: TaskWork) -> TaskWork:
        """The work with labels as names, in their order."""
        if not self.labels:
            return work
        people = sorted((self._relabelled(each) for each in work.people), key=lambda w: w.name)
        gold = work.gold
        if gold is not None and gold.state.review is not None:
            state = gold.state.model_copy(update={"review": self._in_review(gold.state.review)})
            gold = replace(gold, state=state)
        return replace(work, people=tuple(people), gold=gold)

    def in_unfinished(self, waits_for: Unfinished) -> Unfinished:
        """Who is still to submit, likewise."""
        people = [replace(each, name=self.shown(each.name)) for each in waits_for.people]
        return replace(waits_for, people=tuple(sorted(people, key=lambda person: person.name)))

    def _relabelled(self, worked: Worked) -> Worked:
        comments = tuple(
            comment.model_copy(update={"by": self.shown(comment.by)})
            for comment in worked.state.comments
        )
        state: AttemptState = worked.state.model_copy(update={"comments": comments})
        return replace(worked, name=self.shown(worked.name), state=state)

    def _in_review(self, review: Review) -> Review:
        sources = tuple(
            source.model_copy(update={"annotator": self.shown(source.annotator)})
            for source in review.sources
        )
        return review.model_copy(update={"sources": sources, "reason": self.in_text(review.reason)})


def hidden_names(connection: Connection, task_ids: Sequence[int]) -> dict[int, HiddenNames]:
    """The labels of each of these tasks whose campaign hides names; the others are not in it."""
    people: dict[int, dict[str, str]] = {}
    for row in connection.execute(_PEOPLE, {"tasks": [*task_ids]}):
        people.setdefault(row.id, {})[row.name] = f"{row.seed}:{row.key}:{row.pseudonym}"
    return {task: HiddenNames(_labels(keys)) for task, keys in people.items()}


def hides_names(connection: Connection, campaign_id: int) -> bool:
    """Whether a campaign hides its annotators' names from reviewers."""
    found = connection.execute(select(_HIDES).where(Campaign.id == campaign_id)).scalar()
    return bool(found)


def _labels(keys: Mapping[str, str]) -> dict[str, str]:
    """Name → label, in the order of SHA-256 of its key."""
    names = {key: name for name, key in keys.items()}
    return {
        names[key]: f"Annotator {letter}"
        for key, letter in zip(order_for(list(names), 0), _letters(), strict=False)
    }


def _letters() -> Iterable[str]:
    """A, B, … Z, ZA, ZB, …: in the order of their sorting, without end."""
    prefix = ""
    while True:
        for code in range(ord("A"), ord("Z") + 1):
            yield prefix + chr(code)
        prefix += "Z"
