"""Why a part of a pilot task is right or not, in a sentence for the person who submitted it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.against_gold import (
    BOX_IOU,
    BOX_PASS,
    compare,
    read_as,
    value_score,
)
from pagetrail.annotation.comparison.gold_answers import adds_unit, answer_score, says
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.answers.answer_matching import same
from pagetrail.annotation.protocols.fields import FieldSpec

_SKIPPED = "The task was skipped, so this counts as wrong."


def reasons(form: Form, record: dict[str, Any]) -> dict[str, str]:
    """Part → why it counts as it does, and what the gold itself says of it.

    Parts whose gold beside the work says it all are left out.

    Raises:
        ValueError: the gold is not of its form; the importer lets no such record in.
    """
    feedback = compare(form, record)
    if feedback is None:
        return {}
    if form.state.status == "skipped":
        return dict.fromkeys((part.part for part in feedback.parts), _SKIPPED)
    mine, gold = Submission(form), gold_submission(form.protocol, record)
    found = {
        part.part: " ".join(
            filter(None, (_reason(part, mine, gold), gold.gold.why.get(part.part, "")))
        )
        for part in feedback.parts
    }
    return {part: reason for part, reason in found.items() if reason}


def _reason(part: PartScore, mine: Submission, gold: GoldSubmission) -> str:
    if part.part == "answer":
        return _answer(part, mine, gold)
    if part.right:
        return ""
    match part.part:
        case "outcome":
            return (
                "The documents do not hold the answer, and the submission has to say so."
                if gold.outcome != "answered"
                else "The documents hold an answer."
            )
        case "evidence":
            return _pages(mine, gold)
        case "boxes":
            return (
                "A box counts where its label is right and it overlaps the gold's box by at least "
                f"{BOX_IOU:.0%} (IoU). {part.score:.0%} of the boxes match (F1), and "
                f"{BOX_PASS:.0%} are needed."
            )
        case name:
            spec = gold.form.protocol.field(name)
            return "" if spec is None else _field(spec, mine, gold)


def _answer(part: PartScore, mine: Submission, gold: GoldSubmission) -> str:
    answers, variant = max(
        ((answers, variant) for answers in read_as(mine) for variant in gold.variants),
        key=lambda pair: answer_score(pair[0], [pair[1]]),
    )
    if part.right:
        exact = all(any(same(one, other) for other in variant) for one in answers)
        unit = any(adds_unit(one, other) for one in answers for other in variant)
        if exact:
            return ""
        return (
            "The gold gives the number without its unit; with the unit it is right too."
            if unit
            else "It says what the gold says; a few letters more or fewer make no difference."
        )
    if not answers:
        return "No answer was submitted, and the gold has one."
    absent = [one for one in variant if not any(says(mine, one) for mine in answers)]
    extra = [one for one in answers if not any(says(one, gold) for gold in variant)]
    if len(absent) == len(extra) == 1:
        return _one_differs(extra[0], absent[0])
    said = []
    if absent:
        said.append(f"Missing: {_quoted(absent)}.")
    if extra:
        said.append(f"Not among the accepted answers: {_quoted(extra)}.")
    return " ".join(said) or "An answer is there more often than in the gold."


def _one_differs(mine: str, gold: str) -> str:
    if _digits(mine) != _digits(gold):
        return (
            f"{_quoted([mine])} and {_quoted([gold])} differ in a number; numbers have to be the "
            "same."
        )
    return f"{_quoted([mine])} differs from {_quoted([gold])} by more than spelling."


def _pages(mine: Submission, gold: GoldSubmission) -> str:
    cited, wanted = set(mine.pages), set(gold.pages)
    parts = [
        f"{_count(len(wanted - cited))} missing" if wanted - cited else "",
        f"{_count(len(cited - wanted))} not needed" if cited - wanted else "",
    ]
    said = " and ".join(part for part in parts if part)
    return f"Exactly the pages that the answer needs are to be cited: {said}."


def _field(spec: FieldSpec, mine: Submission, gold: GoldSubmission) -> str:
    if spec.kind == "records":
        return "A row counts where all the cells that the gold gives are the same."
    if spec.scope == "task":
        return ""
    targets = gold.targets(spec)
    wrong = [
        target
        for target in targets
        if value_score(spec, mine.value(spec, target), gold.value(spec, target)) < 1
    ]
    pages = "1 page" if len(targets) == 1 else f"{len(targets)} pages"
    return f"Every page has to be right: {len(wrong)} of {pages} differ."


def _digits(text: str) -> list[str]:
    return sorted(char for char in text if char.isdecimal())


def _count(pages: int) -> str:
    return "1 page is" if pages == 1 else f"{pages} pages are"


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f"“{text}”" for text in texts)
