"""Names of judged answers that their authors no longer have.

Earlier versions did not change these names when they changed a person's, and the old name is stored
nowhere else, so whose it was is estimated from the answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from typing import NamedTuple

from pagetrail.annotation.attempts.state import fold_without_history
from pagetrail.annotation.tasks.blind_judging import names_of_answers, question_of
from pagetrail.exports.formats.judgements import prediction_of
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Words, words_of

MIN_ANSWERS = 5
"""A name with fewer answers may equal somebody's by chance."""


class FormerName(NamedTuple):
    """Whose name it was, and how many judged answers say so."""

    user: str
    answers: int


def former_names(source: Source) -> dict[str, FormerName]:
    """The names of judged answers that nobody has now, and whose they were."""
    known = {
        name
        for user, pseudonym in source.pseudonyms.items()
        for name in names_of_answers(user, pseudonym)
    }
    judged: dict[str, dict[str, Words]] = defaultdict(dict)
    for task in source.database.tasks(source.campaign.id):
        prediction = prediction_of(task.record)
        author = prediction.get("system")
        if isinstance(author, str) and author not in known:
            judged[author][question_of(task.key)] = words_of(prediction.get("answer"))
    questions = {question for answers in judged.values() for question in answers}
    given: dict[str, dict[str, set[Words]]] = defaultdict(lambda: defaultdict(set))
    for attempt in source.database.people_at_tasks(questions):
        state = fold_without_history(attempt.events)
        if state.status == "submitted":
            given[attempt.head.user][attempt.head.task].add(words_of(state.answer))
    return match_names(judged, given)


def match_names(
    judged: Mapping[str, Mapping[str, Words]], given: Mapping[str, Mapping[str, Set[Words]]]
) -> dict[str, FormerName]:
    """Each name of ``MIN_ANSWERS`` answers or more that are all one person's, and no other's.

    Args:
        judged: name → question → answer.
        given: person → question → answers.
    """
    matches = {}
    for name, answers in judged.items():
        users = [
            user
            for user, own_answers in given.items()
            if all(answer in own_answers.get(task, ()) for task, answer in answers.items())
        ]
        if len(answers) >= MIN_ANSWERS and len(users) == 1:
            matches[name] = FormerName(users[0], len(answers))
    return matches
