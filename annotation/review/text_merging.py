"""Merges two people's transcriptions of a page, difference by difference.

Texts are compared line by line, and changed lines word by word. A reviewer takes either version of
a difference, both, or writes another; the merge is complete once every difference is decided.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import count, groupby
from typing import NamedTuple

from rapidfuzz.distance import Indel

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement.text_error_rates import text_difference
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import TextDecision
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.ties import break_tie, nearest

PART = "transcript"

_ROUNDING = 1e-9
MAX_WORD_PAIRS = 200_000_000
"""Longer runs of changed lines are one difference: their alignment would take 25 MB or more."""


class Passage(NamedTuple):
    """A stretch of two texts: the same in both, or a difference."""

    left: str
    right: str

    @property
    def differs(self) -> bool:
        """Whether somebody has to choose."""
        return self.left != self.right


def side_of_transcript(submissions: Sequence[Submission], rule: ReviewPart) -> Pick:
    """The person whose text is nearest to the others'; nobody where that is a tie."""
    limit = rule.parts.get(PART, 0.0) + _ROUNDING

    def texts_match(a: Submission, b: Submission) -> bool:
        return character_error_rate(a, b) <= limit

    def likeness(a: Submission, b: Submission) -> float:
        return 1 - character_error_rate(a, b)

    leader = break_tie(nearest(submissions, likeness), texts_match, _text)
    return Pick("none") if leader is None else Pick("side", leader.attempt)


def character_error_rate(a: Submission, b: Submission) -> float:
    """Between two people's texts; 0 where both are empty."""
    return text_difference(_text(a), _text(b)).characters.rate or 0.0


def merged_transcript(
    submissions: Sequence[Submission], pick: Pick | None
) -> ev.GoldTranscript | None:
    """The gold's text; None while nobody is followed or a difference is open.

    Raises:
        Refusal: a pick that does not name two texts, or decides a difference that is not there.
    """
    texts = {submission.attempt: submission for submission in submissions}
    if pick is None or not submissions:
        return None
    text: str | None = None
    followed = submissions[0]
    if pick.how == "side":
        followed = texts[pick.side or ""]
        text = _text(followed)
    elif pick.how == "pick":
        if len(pick.sides) != 2:
            raise Refusal(gettext("Say which two texts are compared."), code="no_side", field=PART)
        followed, other = (texts[attempt] for attempt in pick.sides)
        text = merged_text(_text(followed), _text(other), pick.text_decisions)
    transcript = followed.form.state.transcript
    if text is None or transcript is None:
        return None
    return ev.GoldTranscript(document=transcript.document, page=transcript.page, text=text)


def _text(submission: Submission) -> str:
    return submission.transcript or ""


def passages(left: str, right: str) -> list[Passage]:
    """Both texts, cut where differences begin and end; joined, either side gives its text.

    White space between two differences belongs to them. Where white space alone differs and no line
    ends in it, the left text's is taken.
    """
    words = (
        passage
        for lines in _aligned(left.splitlines(keepends=True), right.splitlines(keepends=True))
        for passage in (_aligned_words(lines) if lines.differs else [lines])
    )
    return _joined(words)


def merged_text(left: str, right: str, decisions: Sequence[TextDecision]) -> str | None:
    """The text that these decisions give; None while a difference is open.

    Raises:
        Refusal: a decision on a difference that the texts don't have.
    """
    decision_of = {decision.number: decision for decision in decisions}
    cut = passages(left, right)
    differing = [passage for passage in cut if passage.differs]
    for number, decision in decision_of.items():
        decided = (decision.left, decision.right)
        if number >= len(differing) or differing[number] != decided:
            raise Refusal(
                gettext("A difference that was decided is no longer there. Look at it again."),
                code="unknown_difference",
                field=PART,
            )
    if len(decision_of) < len(differing):
        return None
    numbers = count()
    return "".join(
        decided_passage(passage, decision_of[next(numbers)]) if passage.differs else passage.left
        for passage in cut
    )


def decided_passage(passage: Passage, decision: TextDecision) -> str:
    """What a difference becomes."""
    match decision.decision:
        case "left":
            return passage.left
        case "right":
            return passage.right
        case "edited":
            return decision.text
        case "both":
            return passage.left + _separator(passage) + passage.right


def _separator(passage: Passage) -> str:
    left, right = passage
    if not left or not right or left[-1].isspace() or right[0].isspace():
        return ""
    return "\n" if "\n" in left + right else " "


def _aligned(left: Sequence[str], right: Sequence[str]) -> list[Passage]:
    """Two lists of pieces of text, by their longest common subsequence."""
    numbers: dict[str, int] = {}
    left_numbers, right_numbers = (
        [numbers.setdefault(piece, len(numbers)) for piece in pieces] for pieces in (left, right)
    )
    aligned: list[Passage] = []
    removed, added = "", ""
    for code in Indel.opcodes(left_numbers, right_numbers):
        left_text = "".join(left[code.src_start : code.src_end])
        right_text = "".join(right[code.dest_start : code.dest_end])
        if code.tag != "equal":
            removed, added = removed + left_text, added + right_text
            continue
        if removed or added:
            aligned.append(Passage(removed, added))
            removed, added = "", ""
        aligned.append(Passage(left_text, right_text))
    return [*aligned, Passage(removed, added)] if removed or added else aligned


def _aligned_words(lines: Passage) -> list[Passage]:
    left_words, right_words = _words(lines.left), _words(lines.right)
    if len(left_words) * len(right_words) > MAX_WORD_PAIRS:
        return [lines]
    return _aligned(left_words, right_words)


def _words(text: str) -> list[str]:
    """Words, runs of white space, and other characters one by one; marks belong to words."""
    words: list[str] = []
    for kind, characters in groupby(text, _character_kind):
        words += characters if kind == "other" else ["".join(characters)]
    return words


def _character_kind(character: str) -> str:
    if character.isspace():
        return "space"
    is_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return "word" if is_word else "other"


def _joined(pieces: Iterable[Passage]) -> list[Passage]:
    """Neighbouring passages of one kind as one, with the white space between differences."""
    runs: list[Passage] = []
    for piece in pieces:
        passage = Passage(piece.left, piece.left) if _differs_in_space(piece) else piece
        _append(runs, passage, is_joined=bool(runs) and runs[-1].differs == passage.differs)
    joined: list[Passage] = []
    for index, passage in enumerate(runs):
        is_gap = 0 < index < len(runs) - 1 and _is_space(passage.left)
        follows_difference = bool(joined) and joined[-1].differs
        _append(joined, passage, is_joined=follows_difference and (passage.differs or is_gap))
    return joined


def _append(passages_so_far: list[Passage], passage: Passage, *, is_joined: bool) -> None:
    if is_joined:
        left, right = passages_so_far.pop()
        passage = Passage(left + passage.left, right + passage.right)
    passages_so_far.append(passage)


def _differs_in_space(passage: Passage) -> bool:
    return passage.differs and all(_is_space(text) or not text for text in passage)


def _is_space(text: str) -> bool:
    """Whether a text is white space within a line."""
    return text.isspace() and "\n" not in text
