"""Fields for a task's right answers: one per answer, in which a line is an item; or it has none.

That is what lines mean to annotators and reviewers, too. A pasted list may be either, so several
lines ask whether they are one answer or several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from pagetrail.annotation.attempts.state import lines_of
from pagetrail.annotation.attempts.submission import answers_in
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext

_ONE, _SEVERAL = "one", "several"
_HEIGHT_PX = 68


class GoldAnswer(NamedTuple):
    """The accepted answers, each a list of items, and whether the task is unanswerable."""

    variants: list[list[str]]
    unanswerable: bool


def gold_answer(record: dict[str, Any]) -> GoldAnswer:
    """The right answer that a task's record has."""
    variants = record.get("answer_variants") or []
    return GoldAnswer(
        [[str(item) for item in variant] for variant in variants], bool(record.get("unanswerable"))
    )


def show_answer_fields(gold: GoldAnswer, key: str) -> None:
    """Show a field for each right answer, and an empty one; ``read_answer_fields`` reads them."""
    variants = gold.variants
    for index in range(_number_of_fields(variants, key)):
        text = st.text_area(
            gettext("Right answer") if index == 0 else gettext("or, just as right"),
            _text(variants, index),
            key=f"{key}-{index}",
            height=_HEIGHT_PX,
            help=gettext("One item per line. Each other right answer has a field of its own."),
        )
        if _is_list(variants, index, text):
            lines = len(lines_of(text))
            words = {
                _ONE: gettext("one answer with {lines} items, all needed", lines=lines),
                _SEVERAL: gettext("{lines} right answers, each enough", lines=lines),
            }
            st.radio(
                gettext("These {lines} lines are", lines=lines),
                list(words),
                index=None,
                key=f"{key}-{index}-lines",
                format_func=words.__getitem__,
            )
    st.checkbox(
        gettext("Unanswerable: the documents do not hold the answer."),
        gold.unanswerable,
        key=f"{key}-unanswerable",
    )


def read_answer_fields(gold: GoldAnswer, kind: str, key: str) -> GoldAnswer:
    """The right answer in the fields.

    Args:
        gold: as it was shown; an unchanged field keeps its answer.
        kind: of the protocol's answers.

    Raises:
        Refusal: several lines of which nobody said what they are (``unclear_lines``).
    """
    variants = gold.variants
    answers: list[list[str]] = []
    for index in range(_number_of_fields(variants, key)):
        text = str(st.session_state.get(f"{key}-{index}") or "")
        if text == _text(variants, index):
            answers += [list(variants[index])] if index < len(variants) else []
            continue
        lines = lines_of(text)
        meaning = st.session_state.get(f"{key}-{index}-lines")
        if len(lines) > 1 and meaning is None:
            raise Refusal(
                gettext(
                    "Nothing is stored: say whether the {lines} lines of right answer {number} "
                    "are one answer or several.",
                    lines=len(lines),
                    number=index + 1,
                ),
                code="unclear_lines",
            )
        if len(lines) > 1 and meaning == _SEVERAL:
            answers += [[line] for line in lines]
        elif lines:
            answers.append(answers_in(text, kind))
    return GoldAnswer(answers, bool(st.session_state.get(f"{key}-unanswerable")))


def _number_of_fields(variants: Sequence[Sequence[str]], key: str) -> int:
    number = len(variants)
    while str(st.session_state.get(f"{key}-{number}") or "").strip():
        number += 1
    return number + 1


def _text(variants: Sequence[Sequence[str]], index: int) -> str:
    return "\n".join(variants[index]) if index < len(variants) else ""


def _is_list(variants: Sequence[Sequence[str]], index: int, text: str) -> bool:
    return len(lines_of(text)) > 1 and text != _text(variants, index)
