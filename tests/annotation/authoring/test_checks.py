"""All checks together."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.authoring import Draft, run_checks
from pagetrail.annotation.protocols.check_results import CheckName, Finding
from tests.annotation.authoring.drafts import A1, A2, Engine, Pages, draft
from tests.support.randomness import examples

TEXTS = {
    A1: "The Lakeland survey counted 1,234 otters.",
    A2: "The survey of Lakeland was led by Ms Grey.",
}


def run(task_draft: Draft, existing: list[tuple[str, str]] | None = None) -> tuple[Finding, ...]:
    """The findings on a draft over two pages."""
    return run_checks(
        task_draft,
        pages=Pages(TEXTS),
        search=Engine({A1: TEXTS[A1].lower(), A2: TEXTS[A2].lower()}),
        top_k=5,
        existing=existing or [],
    )


def test_each_check_gives_one_finding_in_a_fixed_order() -> None:
    """The order of the names in ``CheckName``."""
    assert tuple(finding.check for finding in run(draft())) == get_args(CheckName)


def test_a_good_question_passes_every_check() -> None:
    """A bridging question: only minimality asks to think again, as the answer is on one page."""
    task_draft = draft("How many animals did Ms Grey's team find?", ["1,234"], [A1, A2])
    status = {finding.check: finding.status for finding in run(task_draft)}
    assert status.pop("minimality") == "warning"
    assert set(status.values()) == {"ok"}


def test_a_bad_question_fails_every_check() -> None:
    """Each finding carries its own evidence."""
    question = "Who led the survey of Lakeland on page 2?"
    task_draft = draft(question, ["Ms Grey, 99"], [A1, A2], queries=["survey lakeland"])
    findings = {finding.check: finding for finding in run(task_draft, [("q", question.upper())])}
    assert findings["giveaway"].words == ("page 2",)
    assert findings["extractive"].words == ("99",)
    assert findings["agentic"].query == "survey lakeland"
    assert findings["duplicate"].other == question.upper()
    assert findings["minimality"].status == "skipped"


def test_an_empty_draft_is_told_what_to_write() -> None:
    """No check passes on nothing."""
    assert {finding.status for finding in run(draft())} == {"skipped"}


def test_findings_stay_small_enough_to_store() -> None:
    """A question of 20,000 characters and long names give short messages and lists."""
    long = ("this document on page 4 " * 900)[:20_000]
    pages = [("x" * 900 + str(n), 1) for n in range(60)]
    for finding in run(draft(long, [long], pages), [("q", long)]):
        assert len(finding.message) <= 2_000
        assert len(finding.words) <= 20 and len(finding.pages) <= 20 and len(finding.spans) <= 20
        assert all(len(word) <= 300 for word in finding.words)


PIECES = st.lists(
    st.one_of(
        st.sampled_from(["page 4", "otters", "Ms Grey", "1,234", "OR", "“", "\n", "¹", "-"]),
        st.text(max_size=8),
    ),
    max_size=12,
).map(" ".join)
PAGE_REFS = st.tuples(st.one_of(st.just("a.pdf"), st.text(max_size=5)), st.integers(-1, 3))


@examples(300)
@given(
    st.builds(
        Draft,
        question=PIECES,
        answers=st.lists(PIECES, max_size=3).map(tuple),
        evidence=st.lists(PAGE_REFS, max_size=4).map(tuple),
        unanswerable=st.booleans(),
        queries=st.lists(PIECES, max_size=3).map(tuple),
    ),
    st.lists(st.tuples(st.text(max_size=3), PIECES), max_size=3),
    st.dictionaries(PAGE_REFS, st.one_of(st.none(), PIECES), max_size=4),
    st.integers(1, 3),
)
def test_no_input_makes_a_check_fail(
    task_draft: Draft,
    existing: list[tuple[str, str]],
    texts: dict[tuple[str, int], str | None],
    top_k: int,
) -> None:
    """Whatever is typed, cited or read: six findings, spans inside the question, JSON and back."""
    engine = Engine({page: text or "" for page, text in texts.items() if page[1] > 0})
    findings = run_checks(
        task_draft, pages=Pages(texts), search=engine, top_k=top_k, existing=existing
    )
    assert tuple(finding.check for finding in findings) == get_args(CheckName)
    for finding in findings:
        assert finding.message
        assert all(0 <= start < end <= len(task_draft.question) for start, end in finding.spans)
        assert set(finding.pages) <= set(task_draft.evidence)
        assert Finding.model_validate_json(finding.model_dump_json()) == finding
        if finding.status == "warning":
            assert finding.words or finding.query or finding.pages or finding.other
