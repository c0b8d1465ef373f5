"""Merges people's transcriptions of a page, difference by difference.

Texts are compared line by line, and changed lines word by word. A reviewer takes either version of
a difference, both, or writes another; the merge is complete once every difference is decided. The
merged text can then be compared with a third version, and so on.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, groupby
from typing import NamedTuple

from rapidfuzz.distance import Indel, Opcode

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
MAX_GAP = 3
"""Characters within a word between two differences, as in “0.61” and “**0.83**”."""
MAX_PAIRS = 200_000_000
"""More pairs of lines, or of words of changed lines, are one difference: 200,000 lines with 100,000
take 2.4 GB to align, and this many pairs 25 MB."""


_Word = tuple[str, str]
"""A word or another character, and the white space after it."""


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

    Args:
        submissions: of people, and drafts of models.

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
        if len(pick.sides) < 2:
            raise Refusal(gettext("Say which two texts are compared."), code="no_side", field=PART)
        versions = [texts[attempt] for attempt in pick.sides]
        followed = versions[0]
        steps = text_steps([_text(version) for version in versions], pick.text_decisions)
        text = steps[-1].text if len(steps) == len(versions) - 1 else None
    transcript = followed.form.state.transcript
    if text is None or transcript is None:
        return None
    return ev.GoldTranscript(document=transcript.document, page=transcript.page, text=text)


def _text(submission: Submission) -> str:
    return submission.transcript or ""


def passages(left: str, right: str) -> list[Passage]:
    """Both texts, cut where differences begin and end; joined, either side gives its text.

    Spaces and short parts of a word between two differences belong to them. Where white space alone
    differs and means the same in Markdown, the left text's is taken.
    """
    pieces = [
        passage
        for lines in _aligned_lines(left, right)
        for passage in (_aligned_words(lines) if lines.differs else [lines])
    ]
    if pieces and not any(text.strip() for text in pieces[-1]):
        pieces[-1] = Passage(pieces[-1].left, pieces[-1].left)
    return _joined(pieces)


class TextStep(NamedTuple):
    """A text, of one person or merged of several, compared with the next person's.

    Attributes:
        first_number: of its differences, which are numbered through all steps.
        text: as it is decided; None while a difference is open.
    """

    passages: list[Passage]
    first_number: int
    text: str | None


def text_steps(texts: Sequence[str], decisions: Sequence[TextDecision]) -> list[TextStep]:
    """Compares the first two texts, then the text merged of them with the third, and so on.

    The first step with an open difference is the last.

    Raises:
        Refusal: a decision on a difference that the texts don't have.
    """
    decision_of = {decision.number: decision for decision in decisions}
    steps: list[TextStep] = []
    text, first_number = texts[0], 0
    for other in texts[1:]:
        step = _text_step(text, other, decision_of, first_number)
        steps.append(step)
        first_number += sum(passage.differs for passage in step.passages)
        if step.text is None:
            break
        text = step.text
    if any(number >= first_number for number in decision_of):
        raise _unknown_difference()
    return steps


def _text_step(
    left: str, right: str, decision_of: Mapping[int, TextDecision], first_number: int
) -> TextStep:
    cut, numbers = passages(left, right), count(first_number)
    pieces: list[str] = []
    is_open = False
    for passage in cut:
        decision = decision_of.get(next(numbers)) if passage.differs else None
        if decision is None:
            is_open = is_open or passage.differs
            pieces.append(passage.left)
        elif passage == (decision.left, decision.right):
            pieces.append(decided_passage(passage, decision))
        else:
            raise _unknown_difference()
    return TextStep(cut, first_number, None if is_open else "".join(pieces))


def _unknown_difference() -> Refusal:
    return Refusal(
        gettext("A difference that was decided is no longer there. Look at it again."),
        code="unknown_difference",
        field=PART,
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


def _aligned_lines(left: str, right: str) -> list[Passage]:
    left_lines, right_lines = (text.splitlines(keepends=True) for text in (left, right))
    if len(left_lines) * len(right_lines) > MAX_PAIRS:
        return [Passage(left, right)]
    return [
        Passage(
            "".join(left_lines[run.src_start : run.src_end]),
            "".join(right_lines[run.dest_start : run.dest_end]),
        )
        for run in _aligned_runs(left_lines, right_lines)
    ]


def _aligned_words(lines: Passage) -> list[Passage]:
    """Changed lines by their words; white space is compared between words that are the same."""
    left, right = _words(lines.left), _words(lines.right)
    if len(left) * len(right) > MAX_PAIRS:
        return [lines]
    aligned = []
    for run in _aligned_runs([word for word, _ in left], [word for word, _ in right]):
        left_run, right_run = (
            left[run.src_start : run.src_end],
            right[run.dest_start : run.dest_end],
        )
        if run.tag != "equal":
            aligned += _replaced_words(left_run, right_run)
            continue
        for offset, ((word, space), (_, other_space)) in enumerate(
            zip(left_run, right_run, strict=True), start=1
        ):
            following = left[run.src_start + offset : run.src_start + offset + 1]
            if _means_the_same(space, other_space, _joined_words(following)):
                other_space = space
            aligned += [Passage(word, word), Passage(space, other_space)]
    return aligned


def _replaced_words(left: Sequence[_Word], right: Sequence[_Word]) -> list[Passage]:
    """A difference, without the white space that both have after it."""
    left_text, right_text = _joined_words(left), _joined_words(right)
    space = left[-1][1] if left and right and left[-1][1] == right[-1][1] else ""
    if not space:
        return [Passage(left_text, right_text)]
    difference = Passage(left_text.removesuffix(space), right_text.removesuffix(space))
    return [difference, Passage(space, space)]


def _aligned_runs(left: Sequence[str], right: Sequence[str]) -> list[Opcode]:
    """Runs that both have, and what one has in place of the other's, by turns."""
    numbers: dict[str, int] = {}
    left_numbers, right_numbers = (
        [numbers.setdefault(piece, len(numbers)) for piece in pieces] for pieces in (left, right)
    )
    runs: list[Opcode] = []
    for run in Indel.opcodes(left_numbers, right_numbers):
        if runs and run.tag != "equal" and runs[-1].tag != "equal":
            last = runs.pop()
            run = Opcode("replace", last.src_start, run.src_end, last.dest_start, run.dest_end)
        runs.append(run)
    return runs


def _words(text: str) -> list[_Word]:
    """Words with their marks, and other characters one by one; the first may be empty."""
    words: list[_Word] = []
    for kind, characters in groupby(text, _character_kind):
        if kind == "space":
            word = words.pop()[0] if words else ""
            words.append((word, "".join(characters)))
        else:
            words += [(c, "") for c in (characters if kind == "other" else ["".join(characters)])]
    return words


def _joined_words(words: Iterable[_Word]) -> str:
    return "".join(word + space for word, space in words)


def _character_kind(character: str) -> str:
    if character.isspace():
        return "space"
    is_word = character.isalnum() or unicodedata.category(character).startswith("M")
    return "word" if is_word else "other"


def _means_the_same(space: str, other_space: str, next_word: str) -> bool:
    """Whether two kinds of white space between words mean the same in Markdown.

    A single line break within a paragraph does, as a space; before a mark of a list, a heading or a
    table it does not, and neither does a blank line.
    """
    if not space or not other_space:
        return space == other_space
    n_breaks = (space.count("\n"), other_space.count("\n"))
    return n_breaks[0] == n_breaks[1] or (max(n_breaks) == 1 and next_word[:1].isalpha())


def _joined(pieces: Iterable[Passage]) -> list[Passage]:
    """Neighbouring passages of one kind as one, with short gaps between differences."""
    runs: list[Passage] = []
    for piece in pieces:
        if any(piece):
            _append(runs, piece, is_joined=bool(runs) and runs[-1].differs == piece.differs)
    joined: list[Passage] = []
    for index, passage in enumerate(runs):
        is_gap = 0 < index < len(runs) - 1 and _is_gap(passage.left)
        follows_difference = bool(joined) and joined[-1].differs
        _append(joined, passage, is_joined=follows_difference and (passage.differs or is_gap))
    return joined


def _is_gap(text: str) -> bool:
    """Whether a text between two differences belongs to them: a space, or part of one word."""
    if text.isspace():
        return "\n" not in text
    return len(text) <= MAX_GAP and not any(map(str.isspace, text))


def _append(passages_so_far: list[Passage], passage: Passage, *, is_joined: bool) -> None:
    if is_joined:
        left, right = passages_so_far.pop()
        passage = Passage(left + passage.left, right + passage.right)
    passages_so_far.append(passage)
