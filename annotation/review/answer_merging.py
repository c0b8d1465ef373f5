"""Question, outcome and answer of the gold from those of several people, and of the dataset.

The gold may accept several answers, its variants: those of the people who are followed, all that
the task came with where that is taken, or what the reviewer wrote. Answers that say the same are
accepted once. The first is the answer where only one can be shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import Submission, answers_in
from pagetrail.annotation.comparison.gold_submission import GoldSubmission
from pagetrail.annotation.comparison.measures import answer_anls
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.base import MAX_TEXT
from pagetrail.annotation.events.review import DATASET, MAX_VARIANTS
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.normalised_text import is_same_text, normalised_tokens
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.ties import break_tie, most_given, nearest

_ROUNDING = 1e-9


def dataset_parts(dataset: GoldSubmission | None) -> tuple[str, ...]:
    """The parts that can be taken from what the task came with."""
    if dataset is None:
        return ()
    protocol, parts = dataset.form.protocol, []
    if protocol.answer.kind != "off" and dataset.outcome is not None:
        parts += ["outcome", "answer"]
    if protocol.evidence.enabled and dataset.pages:
        parts.append("evidence")
    return tuple(parts)


def submission_of(
    submissions: Sequence[Submission],
    attempt: str | None,
    dataset: GoldSubmission | None = None,
    drafts: Sequence[GoldSubmission] = (),
) -> Submission:
    """Whose version is followed: a person's, the dataset's, or that of a model's draft."""
    if attempt == DATASET and dataset is not None:
        return dataset
    versions = (*submissions, *drafts)
    return next(submission for submission in versions if submission.attempt == attempt)


def without_unanswered(
    submissions: Sequence[Submission],
    pick: Pick,
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission] = (),
) -> Pick:
    """The pick; if it takes several people's answers as variants, without people who have none.

    If none of them answered, the first person is followed.
    """
    if pick.how != "variants":
        return pick
    attempts = tuple(
        attempt
        for attempt in pick.sides
        if submission_of(submissions, attempt, dataset, drafts).accepted
    )
    return replace(pick, sides=attempts) if attempts else Pick("side", pick.sides[0])


def merged_outcome(
    submissions: Sequence[Submission],
    pick: Pick,
    ended: bool,
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission] = (),
) -> ev.Outcome | None:
    """The gold's outcome, None if tied.

    People who ended the task early count only if the gold ends it too.
    """
    if pick.how == "side":
        return submission_of(submissions, pick.side, dataset, drafts).outcome
    if pick.how == "edited":  # goes with an answer that the reviewer wrote
        return "answered"
    outcomes = [
        submission.outcome
        for submission in submissions
        if submission.outcome is not None and submission.form.ended == ended
    ]
    leading = most_given(outcomes, lambda a, b: a == b)
    return break_tie(leading, lambda a, b: a == b, content=str)


def merged_answers(
    submissions: Sequence[Submission],
    pick: Pick,
    outcome: ev.Outcome | None,
    rule: ReviewPart,
    dataset: GoldSubmission | None,
    drafts: Sequence[GoldSubmission] = (),
) -> list[str] | None:
    """The answers that the gold accepts, each a text with one list item per line; None if tied.

    Raises:
        Refusal: there are too many, or one is too long.
    """
    if pick.how == "side":
        version = submission_of(submissions, pick.side, dataset, drafts)
        return _accepted(submissions, _texts_of(version))
    if outcome not in (None, "answered"):
        return []
    if pick.how == "variants":
        versions = [submission_of(submissions, attempt, dataset, drafts) for attempt in pick.sides]
        return _accepted(submissions, [text for version in versions for text in _texts_of(version)])
    if pick.how == "edited":
        return _accepted(submissions, pick.texts)
    return [] if pick.how == "none" else _nearest_answer(submissions, outcome, rule)


def _nearest_answer(
    submissions: Sequence[Submission], outcome: ev.Outcome | None, rule: ReviewPart
) -> list[str] | None:
    """The answer nearest to all others, None if tied.

    A missing answer is at the largest distance from any answer, and equal to another missing one.
    If the gold's outcome is an answer, only people who answered are considered.
    """

    def similarity(a: Submission, b: Submission) -> float:
        anls = answer_anls(a, b)
        if anls is None:  # neither gave an answer, or they are too long to compare
            return float(not (a.answer and b.answer))
        return anls

    def answers_agree(a: Submission, b: Submission) -> bool:
        return 1 - similarity(a, b) <= rule.parts.get("answer", 1 - rule.answer) + _ROUNDING

    candidates = [submission for submission in submissions if submission.answer or outcome is None]
    if not candidates:
        return []
    nearest_version = break_tie(nearest(candidates, similarity), answers_agree, _texts_of)
    return None if nearest_version is None else _texts_of(nearest_version)


def _texts_of(submission: Submission) -> list[str]:
    """The answers that a version accepts: a person's one, or all of the dataset's or a draft's."""
    if isinstance(submission, GoldSubmission):
        return ["\n".join(variant) for variant in submission.accepted]
    return [submission.form.state.answer_text] if submission.answer else []


def _accepted(submissions: Sequence[Submission], texts: Iterable[str]) -> list[str]:
    """The texts without blank ones and those that say what an earlier one says.

    Raises:
        Refusal: they are more, or longer, than gold can hold.
    """
    kind = submissions[0].form.protocol.answer.kind if submissions else "list"
    accepted: list[str] = []
    accepted_contents = set()
    for text in texts:
        answer = answers_in(text, kind)
        content = frozenset(Counter(map(normalised_tokens, answer)).items())  # in any order
        if answer and content not in accepted_contents:
            accepted.append(text)
            accepted_contents.add(content)
    if len(accepted) > MAX_VARIANTS or any(len(text) > MAX_TEXT for text in accepted):
        raise Refusal(
            gettext(
                "Gold accepts at most {max_variants} answers of {max_text:,} characters each.",
                max_variants=MAX_VARIANTS,
                max_text=MAX_TEXT,
            ),
            code="too_long",
            field="answer",
        )
    return accepted


def side_of_question(submissions: Sequence[Submission]) -> Pick:
    """The person whose question most others wrote too; nobody where that is a tie."""

    def text(submission: Submission) -> str:
        return submission.form.state.question_text or ""

    def questions_match(a: Submission, b: Submission) -> bool:
        return text(a) == text(b) or is_same_text(text(a), text(b))

    leader = break_tie(most_given(submissions, questions_match), questions_match, text)
    return Pick("none") if leader is None else Pick("side", leader.attempt)


def merged_question(submissions: Sequence[Submission], pick: Pick | None) -> str | None:
    """The chosen person's question; None where nobody was chosen."""
    if pick is None or pick.how != "side":
        return None
    return submission_of(submissions, pick.side).form.state.question_text
