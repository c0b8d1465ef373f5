"""Two people's transcriptions as one text with choices, and the gold that these give."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.transcript_state import Transcript, text_hash
from pagetrail.annotation.comparison.differences import compare
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Pick, Submission, merge
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.text_merging import Passage, passages, text_steps

TRANSCRIBE = preset("transcribe")
PAGES = [("b.pdf", 2)]
TEXTS = st.text(alphabet="ab \né\u0301字.|", max_size=30)

Decisions = Sequence[ev.TextDecision]


def person(name: str, text: str) -> Submission:
    """Somebody who submitted this text."""
    transcript = Transcript(
        document="b.pdf", page=2, text=text, round_text_sha256=text_hash("The otter swims.")
    )
    state = AttemptState(status="submitted", outcome="completed", transcript=transcript)
    return Submission(Form(TRANSCRIBE, state, PAGES), name, name)


def size(_document: str, _page: int) -> tuple[float, float]:
    return 612.0, 792.0


def gold(people: Sequence[Submission], pick: Pick | None = None) -> ev.GoldMerged:
    """What they make together."""
    picks = {"transcript": pick} if pick else {}
    return merge(people, picks, ReviewPart(), size, {p.attempt: 5 for p in people})


def decisions(left: str, right: str, kinds: Sequence[str], text: str = "") -> Decisions:
    """One decision per difference, in their order."""
    differing = [passage for passage in passages(left, right) if passage.differs]
    return [
        ev.TextDecision.model_validate(
            {"number": number, **passage._asdict(), "decision": kind, "text": text}
        )
        for number, (passage, kind) in enumerate(zip(differing, kinds, strict=False))
    ]


def merged_text(left: str, right: str, decisions: Decisions) -> str | None:
    (step,) = text_steps([left, right], decisions)
    return step.text


@given(TEXTS, TEXTS)
def test_joined_passages_give_both_texts(left: str, right: str) -> None:
    """But for white space within a line, of which the left text's is taken."""
    cut = passages(left, right)
    assert "".join(passage.left for passage in cut) == left
    words = "".join(passage.right for passage in cut).split()
    assert words == right.split()
    kinds = [passage.differs for passage in cut]
    assert all(a != b for a, b in pairwise(kinds))


@given(TEXTS, TEXTS)
def test_taking_one_side_everywhere_gives_its_text(left: str, right: str) -> None:
    cut = passages(left, right)
    everywhere = ["left"] * len(cut)
    assert merged_text(left, right, decisions(left, right, everywhere)) == left
    taken = merged_text(left, right, decisions(left, right, ["right"] * len(cut)))
    assert taken == "".join(passage.right for passage in cut)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("one two three", "one 2 three", [("one ",), ("two", "2"), (" three",)]),
        ("one two", "1 2", [("one two", "1 2")]),
        ("a b\n", "a  b\n", [("a b\n",)]),
        ("a\nb", "a\n\nb", [("a\n",), ("", "\n"), ("b",)]),
        ("a 0.61 b", "a **0.83** b", [("a ",), ("0.61", "**0.83**"), (" b",)]),
        ("cafe\u0301s", "cafes", [("cafe\u0301s", "cafes")]),
        (
            "A line\nof text.\n",
            "A line\nof texts.\n",
            [("A line\nof ",), ("text", "texts"), (".\n",)],
        ),
        ("a line\nbreak", "a line break", [("a line\nbreak",)]),
        ("a line\n- item", "a line - item", [("a line",), ("\n", " "), ("- item",)]),
        ("a line\n\nbreak", "a line break", [("a line",), ("\n\n", " "), ("break",)]),
        ("", "", []),
    ],
)
def test_where_differences_begin_and_end(
    left: str, right: str, expected: list[tuple[str, ...]]
) -> None:
    assert passages(left, right) == [Passage(texts[0], texts[-1]) for texts in expected]


@pytest.mark.parametrize(
    ("kinds", "text", "merged"),
    [
        (["left", "right"], "", "The otter swims well."),
        (["both", "left"], "", "The otter otters swims."),
        (["edited", "edited"], "!", "The ! swims!."),
        (["left"], "", None),
    ],
)
def test_what_decisions_give(kinds: list[str], text: str, merged: str | None) -> None:
    left, right = "The otter swims.", "The otters swims well."
    assert merged_text(left, right, decisions(left, right, kinds, text)) == merged


def test_a_decision_on_another_difference_is_refused() -> None:
    chosen = decisions("The otter.", "The seal.", ["left"])
    with pytest.raises(Refusal, match="no longer there"):
        merged_text("The otter.", "The otters.", chosen)
    with pytest.raises(Refusal, match="no longer there"):
        merged_text("The otter.", "The otter.", chosen)


def test_a_merged_text_is_compared_with_the_next_one() -> None:
    """Differences are numbered through; what is open in the first step leaves no second one."""
    texts = ["The 0tter often swims.", "The otter often swam.", "The otter often swims here."]
    first = decisions(texts[0], texts[1], ["right", "left"])
    second = [
        decision.model_copy(update={"number": decision.number + 2})
        for decision in decisions("The otter often swims.", texts[2], ["right"])
    ]
    steps = text_steps(texts, [*first, *second])
    assert [(step.first_number, step.text) for step in steps] == [
        (0, "The otter often swims."),
        (2, "The otter often swims here."),
    ]
    (step,) = text_steps(texts, first[:1])
    assert step.text is None
    with pytest.raises(Refusal, match="no longer there"):
        text_steps(texts, [*first[:1], *second])
    people = [person(f"a{number}", text) for number, text in enumerate(texts)]
    sides = tuple(submission.attempt for submission in people)
    merged = gold(people, Pick("pick", sides=sides, text_decisions=(*first, *second)))
    assert merged.transcript is not None and merged.transcript.text == "The otter often swims here."
    assert gold(people, Pick("pick", sides=sides, text_decisions=tuple(first))).transcript is None


def test_equal_texts_become_gold_and_others_stay_open() -> None:
    same = gold([person("a1", "The otter  swims."), person("a2", "The otter swims.")])
    assert same.transcript is not None and same.transcript.text.split() == [
        "The",
        "otter",
        "swims.",
    ]
    people = [person("a1", "The otter swims."), person("a2", "The otters swim.")]
    tied = gold(people)
    assert tied.transcript is None
    assert [choice.part for choice in tied.choices if choice.tied] == ["transcript"]
    state = draft_state(tied)
    assert gold_missing(Form(TRANSCRIBE, state, PAGES)) == {
        "transcript": "No text chosen. Decide every difference, or take one person’s text."
    }


def test_the_text_nearest_to_the_others_is_proposed() -> None:
    texts = ["The otter swims.", "The otter swims!", "The otter swims."]
    people = [person(f"a{number}", text) for number, text in enumerate(texts)]
    proposed = gold(people)
    assert proposed.transcript is not None and proposed.transcript.text == "The otter swims."
    assert gold(people[::-1]).transcript == proposed.transcript


def test_decided_differences_are_the_gold_and_are_stored() -> None:
    left, right = "The otter swims.", "The otters swims well."
    people = [person("a1", left), person("a2", right)]
    chosen = tuple(decisions(left, right, ["right", "left"]))
    merged = gold(people, Pick("pick", sides=("a1", "a2"), text_decisions=chosen))
    expected = ev.GoldTranscript(document="b.pdf", page=2, text="The otters swims.")
    assert merged.transcript == expected
    (choice,) = (choice for choice in merged.choices if choice.part == "transcript")
    assert (choice.sides, choice.text_decisions) == (("a1", "a2"), chosen)
    state = draft_state(merged)
    assert state.transcript is not None and state.transcript.text == expected.text
    assert Submission(Form(TRANSCRIBE, state, PAGES)).transcript == expected.text
    assert not gold_missing(Form(TRANSCRIBE, state, PAGES))


def test_two_sides_have_to_be_named() -> None:
    people = [person("a1", "The otter."), person("a2", "The seal.")]
    with pytest.raises(Refusal, match="which two texts"):
        gold(people, Pick("pick", sides=("a1",)))
    with pytest.raises(Refusal, match="no longer submitted"):
        gold(people, Pick("pick", sides=("a1", "a3")))


def test_texts_differ_by_their_character_error_rate() -> None:
    people = [person("a1", "otter"), person("a2", "otters")]
    (part,) = (p for p in compare(people, ReviewPart(), size).parts if p.part == "transcript")
    assert (part.score, part.agreed, part.places) == (pytest.approx(1 / 6), False, (("b.pdf", 2),))
    lenient = ReviewPart(parts={"transcript": 0.2})
    (part,) = (p for p in compare(people, lenient, size).parts if p.part == "transcript")
    assert part.agreed
    spaces = [person("a1", "an otter"), person("a2", "an\notter ")]
    assert compare(spaces, ReviewPart(), size).agreed


def test_long_texts_are_cut_quickly() -> None:
    """20,000 characters whose line breaks all differ are compared word by word."""
    words = [f"word{number % 97}" for number in range(3_400)]
    left = "\n".join(" ".join(words[i : i + 9]) for i in range(0, len(words), 9))
    right = "\n".join(" ".join(words[i : i + 11]) for i in range(0, len(words), 11))
    cut = passages(left, right.replace("word5 ", "word five "))
    changed = [passage for passage in cut if passage.left.split() != passage.right.split()]
    assert len(changed) == right.count("word5 ") > 20
    assert [passage for passage in cut if passage.differs] == changed


def test_texts_of_too_many_lines_are_one_difference() -> None:
    """Aligning these lines took 2.4 GB in the server's process; the same text has none."""
    left, right = "a\nb\n" * 50_000, "b\nc\n" * 50_000
    assert passages(left, right) == [Passage(left, right)]
    assert not any(passage.differs for passage in passages(left, left))
