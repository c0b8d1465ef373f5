"""A model's patches are read from its list, and those that do not apply come with a reason."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation.attempts.proposed_patches import clean_transcript, parse_patches

TEXT = "The harbor\nwas cold. 𝔘 cold."


def positions(text: str, *rows: Any) -> list[tuple[str, int, str, str]]:
    """Id, position, old and new text of the usable patches."""
    return [(p.id, p.at, p.removed, p.inserted) for p in parse_patches(text, rows).patches]


def reasons(text: str, *rows: Any) -> list[tuple[int, str | None, str]]:
    """Index, id and reason of the others."""
    return [tuple(problem) for problem in parse_patches(text, rows).problems]  # type: ignore[misc]


def test_patches_name_their_position_or_a_text_that_is_there_once() -> None:
    """Positions are code points; patches without an id are numbered around those that have one."""
    assert positions(
        TEXT,
        {"old": "harbor", "new": "harbour", "reason": "British"},
        {"id": "1", "old": "cold", "new": "warm", "at": 15},
        {"id": 7, "old": "cold.", "new": "", "at": 23.0},
        {"old": "", "new": "Once. ", "at": 0},
    ) == [
        ("2", 4, "harbor", "harbour"),
        ("1", 15, "cold", "warm"),
        ("7", 23, "cold.", ""),
        ("3", 0, "", "Once. "),
    ]
    assert parse_patches(TEXT, [{"old": "a", "new": "b", "at": 5, "reason": "x"}]).patches[
        0
    ].reason == ("x")


def test_line_ends_and_control_characters_are_cleaned_in_text_and_patches() -> None:
    """Positions of a text with other line ends are those of the clean text."""
    text = "one\r\ntwo\x00\r\nthree\rfour"
    assert clean_transcript(text) == "one\ntwo\nthree\nfour"
    rows = ({"old": "three\r\n", "new": "3\r\n"}, {"old": "three", "new": "3", "at": 11})
    assert positions(text, *rows) == [
        ("1", 8, "three\n", "3\n"),
        ("2", 8, "three", "3"),
    ]
    assert positions("a\r\nb\r\n", {"old": "b\r\n", "new": "c\r\n"}) == [("1", 2, "b\n", "c\n")]


def test_patches_that_do_not_apply_say_why() -> None:
    """Each by its row; the others are used."""
    rows = [
        "not an object",
        {"id": "a b", "old": "The", "new": "A"},
        {"id": "p", "old": "The", "new": "A"},
        {"id": "p", "old": "was", "new": "is"},
        {"old": "harbour", "new": "port"},
        {"old": "cold", "new": "warm"},
        {"old": "", "new": "x"},
        {"old": "The", "new": "The"},
        {"old": "The"},
        {"old": "The", "new": "A", "at": 3},
        {"old": "The", "new": "A", "at": 99},
        {"old": "The", "new": "A", "at": "0"},
        {"old": 3, "new": "A"},
        {"old": "The", "new": "A", "reason": "x" * 2_001},
        {"old": "The", "new": "\ud800"},
    ]
    assert [patch.id for patch in parse_patches(TEXT, rows).patches] == ["p"]
    assert reasons(TEXT, *rows) == [
        (0, None, "must be an object with old and new"),
        (1, "a b", "its id must be of letters, digits and _ . : / -, at most 100 of them"),
        (3, "p", "another patch of the page has this id"),
        (4, None, "the text does not have “harbour”"),
        (5, None, "the text has “cold” more than once; give at, or more of the text around it"),
        (6, None, "removes nothing, so that at must say where its text goes"),
        (7, None, "changes nothing: old and new are the same"),
        (8, None, "has no new text; new is empty where text is to be removed"),
        (9, None, "the text has “ha” at 3, not “The”"),
        (10, None, "at is 99, and the text has 28 characters"),
        (11, None, "at must be a whole number, in characters from the beginning of the text"),
        (12, None, "old must be text"),
        (13, None, "its reason has 2,001 characters; 2,000 are allowed"),
        (14, None, "new holds half of a surrogate pair"),
    ]


def test_a_change_that_is_proposed_twice_is_used_once() -> None:
    """Whether it is found by its position or by its text."""
    rows = [
        {"old": "harbor", "new": "harbour"},
        {"old": "harbor", "new": "harbour", "at": 4, "reason": "British"},
        {"old": "harbor", "new": "port"},
    ]
    assert [patch.inserted for patch in parse_patches(TEXT, rows).patches] == ["harbour", "port"]
    assert reasons(TEXT, *rows) == [(1, None, "proposes the same change as patches[0]")]


def test_positions_in_other_units_are_named() -> None:
    """Behind a character that is two UTF-16 units and four bytes."""
    rows = [{"old": "cold.", "new": "", "at": at} for at in (24, 26, 40)]
    units, number_of_bytes, beyond = (reason for _, _, reason in reasons(TEXT, *rows))
    assert units.endswith("; at seems to count UTF-16 code units: counted in characters it is 23")
    assert number_of_bytes.endswith("; at seems to count bytes: counted in characters it is 23")
    assert beyond == f"at is 40, and the text has {len(TEXT)} characters"


def test_a_new_text_with_control_characters_is_left_out() -> None:
    assert reasons(TEXT, {"old": "The", "new": "A\x00"}) == [
        (0, None, "new holds the control character U+0000")
    ]


def test_a_page_takes_a_limited_number_of_patches() -> None:
    """The ones beyond are reported."""
    rows = [{"old": "", "new": f"x{number}", "at": 0} for number in range(2_002)]
    parsed = parse_patches("", rows)
    assert len(parsed.patches) == 2_000
    assert [problem.row for problem in parsed.problems] == [2_000, 2_001]
    assert "at most 2,000 patches" in parsed.problems[0].reason
