"""Why a part of a pilot task is right or not, in a sentence for the person who submitted it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pagetrail.annotation.answers.item_decision import ItemDecision, Reason
from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.against_gold import (
    BOX_IOU,
    BOX_PASS,
    answer_readings,
    compare,
    value_score,
)
from pagetrail.annotation.comparison.gold_answers import (
    answer_score,
    decide_texts,
    is_undecided,
)
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.events.forms import PartScore
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.fields import FieldSpec

_SKIPPED = N_("The task was skipped, so this counts as wrong.")


def reasons(form: Form, record: dict[str, Any], shown: Feedback | None = None) -> dict[str, str]:
    """Part → why it counts as it does, and what the gold itself says of it.

    Parts that need no explanation besides the gold are left out.

    Args:
        shown: the verdict that counts, if a supervisor may have judged what the rule leaves open.

    Raises:
        ValueError: the gold is not of its form; the importer lets no such record in.
    """
    feedback = compare(form, record)
    if feedback is None:
        return {}
    if form.state.status == "skipped":
        return dict.fromkeys((part.part for part in feedback.parts), _SKIPPED)
    submission, gold = Submission(form), gold_submission(form.protocol, record)
    decided = {part.part for part in shown.parts if not part.undecided} if shown else set()
    reasons = {
        part.part: " ".join(
            filter(
                None,
                (
                    gettext("A supervisor has judged it.")
                    if part.undecided and part.part in decided
                    else _reason(part, submission, gold),
                    gold.gold.why.get(part.part, ""),
                ),
            )
        )
        for part in feedback.parts
    }
    return {part: reason for part, reason in reasons.items() if reason}


def _reason(part: PartScore, submission: Submission, gold: GoldSubmission) -> str:
    if part.part == "answer":
        return _answer(part, submission, gold)
    if part.right:
        return ""
    match part.part:
        case "outcome":
            return (
                gettext("The documents do not hold the answer, and the submission has to say so.")
                if gold.outcome != "answered"
                else gettext("The documents hold an answer.")
            )
        case "evidence":
            return _pages(submission, gold)
        case "transcript":
            return gettext(
                "The text has to be the same, but for spaces and line breaks. {score} of it is.",
                score=f"{math.floor(part.score * 1000) / 10:g} %",
            )
        case "tables":
            return gettext(
                "Every cell has to have the same text, but for spaces, the same size, and be a "
                "header where it is one. {score} of the cells do.",
                score=f"{math.floor(part.score * 1000) / 10:g} %",
            )
        case "boxes":
            return gettext(
                "A box counts where its label is right and it overlaps the gold's box by at least "
                "{overlap} (IoU). {score} of the boxes match (F1), and {needed} are needed.",
                overlap=f"{BOX_IOU:.0%}",
                score=f"{part.score:.0%}",
                needed=f"{BOX_PASS:.0%}",
            )
        case name:
            spec = gold.form.protocol.field(name)
            return "" if spec is None else _field(spec, submission, gold)


_UNDECIDED: dict[Reason, str] = {
    "unit_missing": N_("its unit is missing"),
    "other_unit": N_("its unit is another one"),
    "scale_missing": N_("“thousand”, “million” or the like is missing, or another one"),
    "several_quantities": N_("it holds several quantities"),
    "percent_or_share": N_("one is a percentage and the other a share"),
    "limit": N_("one is a limit, such as “more than”, and the other is not"),
    "decline_or_minus": N_("it is not clear whether both say that something became less"),
    "unclear_number": N_("its separator could divide thousands or decimals"),
    "negation": N_("only one of them denies something"),
    "less_precise": N_("one is less precise"),
    "other_words": N_("it adds words"),
    "several_questions": N_("the question asks for more"),
    "joined_items": N_("one line may hold several items"),
    "other_order": N_("the order is another one"),
    "other_text": N_("the words are others"),
    "answer_too_long": N_("it is too long to be compared"),
}


def _answer(part: PartScore, submission: Submission, gold: GoldSubmission) -> str:
    answers, variant = max(
        (
            (answers, variant)
            for answers in answer_readings(submission)
            for variant in gold.variants
        ),
        key=lambda pair: (
            part.undecided and is_undecided(pair[0], pair[1], gold.question),
            answer_score(pair[0], [pair[1]], gold.question),
        ),
    )

    def decide(answer: str, gold_answer: str) -> ItemDecision:
        return decide_texts(answer, gold_answer, gold.question)

    if part.right:
        deciders = set()
        for answer in answers:
            decisions = [decide(answer, gold_answer) for gold_answer in variant]
            fitting = {d.decided_by for d in decisions if d.verdict == "correct"}
            deciders |= set() if "exact_match" in fitting else fitting
        if not deciders:
            return ""
        if deciders == {"quantity"}:
            return gettext("It is the gold’s quantity, written in another way.")
        return gettext("It says what the gold says, written in another way.")
    if not answers:
        return gettext("No answer was submitted, and the gold has one.")
    absent = [
        gold_answer
        for gold_answer in variant
        if not any(decide(answer, gold_answer).verdict == "correct" for answer in answers)
    ]
    extra = [
        answer
        for answer in answers
        if not any(decide(answer, gold_answer).verdict == "correct" for gold_answer in variant)
    ]
    if len(absent) == len(extra) == 1:
        return _one_differs(extra[0], absent[0], decide(extra[0], absent[0]))
    if part.undecided:
        return gettext(
            "{answer} and {gold} may say the same: that cannot be told by rule.",
            answer=_quoted(answers),
            gold=_quoted(variant),
        )
    sentences = []
    if absent:
        sentences.append(gettext("Missing: {answers}.", answers=_quoted(absent)))
    if extra:
        sentences.append(
            gettext("Not among the accepted answers: {answers}.", answers=_quoted(extra))
        )
    return " ".join(sentences) or gettext("An answer is there more often than in the gold.")


def _one_differs(answer: str, gold: str, decision: ItemDecision) -> str:
    answers = {"answer": _quoted([answer]), "gold": _quoted([gold])}
    if decision.reason is not None:
        return gettext(
            "{answer} and {gold} may say the same, but {reason}.",
            **answers,
            reason=gettext(_UNDECIDED[decision.reason]),
        )
    if decision.decided_by in ("date", "polar"):
        return gettext("{answer} and {gold} contradict each other.", **answers)
    return gettext(
        "{answer} and {gold} differ in a number; numbers have to be the same.", **answers
    )


def _pages(submission: Submission, gold: GoldSubmission) -> str:
    cited, gold_pages = set(submission.pages), set(gold.pages)
    missing, extra = len(gold_pages - cited), len(cited - gold_pages)
    problems = []
    if missing:
        problems.append(
            ngettext("{number:,} page is missing", "{number:,} pages are missing", missing)
        )
    if extra:
        problems.append(
            ngettext("{number:,} page is not needed", "{number:,} pages are not needed", extra)
        )
    return gettext(
        "Exactly the pages that the answer needs are to be cited: {problems}.",
        problems=gettext("{first} and {second}", first=problems[0], second=problems[1])
        if len(problems) == 2
        else "".join(problems),
    )


def _field(spec: FieldSpec, submission: Submission, gold: GoldSubmission) -> str:
    if spec.kind == "records":
        return gettext("A row counts where all the cells that the gold gives are the same.")
    if spec.scope == "task":
        return ""
    targets = gold.targets(spec)
    wrong = [
        target
        for target in targets
        if value_score(spec, submission.value(spec, target), gold.value(spec, target)) < 1
    ]
    return ngettext(
        "Every page has to be right: {wrong} of {number:,} page differs.",
        "Every page has to be right: {wrong} of {number:,} pages differ.",
        len(targets),
        wrong=len(wrong),
    )


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f"“{text}”" for text in texts)
