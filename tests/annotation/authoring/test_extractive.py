"""Every word of the answer is on a cited page; no part of the evidence already suffices."""

from __future__ import annotations

import pytest

from pagetrail.annotation.authoring import extractive, minimality
from tests.annotation.authoring.drafts import A1, A2, B1, draft, read

TEXTS = {
    A1: "The Lakeland survey counted 1,234 otters in 2019.",
    A2: "Badgers were not counted. Their setts lie in the north.",
    B1: "In 2019 the survey was led by Ms Grey.",
}


def test_every_word_is_found_over_all_cited_pages() -> None:
    """Different words may be on different pages; stop words are not looked for."""
    task_draft = draft("?", ["1234 otters", "for the north"], [A1, A2])
    finding = extractive.check(task_draft, read(task_draft, TEXTS))
    assert (finding.status, finding.words) == ("ok", ())


def test_missing_words_are_shown_as_typed() -> None:
    """Numbers and negations count; each missing word is named once, in its own spelling."""
    task_draft = draft("?", ["1,235 otters", "1,235 never GREY"], [A1, A2])
    finding = extractive.check(task_draft, read(task_draft, TEXTS))
    assert finding.status == "warning"
    assert finding.words == ("1,235", "never", "GREY")
    assert "any of the 2 cited pages" in finding.message


def test_an_answer_of_stop_words_is_looked_for() -> None:
    """Where an answer has nothing else, its stop words are its words."""
    task_draft = draft("?", ["it"], [A1])
    assert extractive.check(task_draft, read(task_draft, TEXTS)).words == ("it",)


def test_a_scan_may_hold_what_is_missing() -> None:
    """With a page that has no text there is no verdict, and the page is named."""
    task_draft = draft("?", ["1234 stoats"], [A1, ("scan.pdf", 7)])
    finding = extractive.check(task_draft, read(task_draft, TEXTS | {("scan.pdf", 7): " \n"}))
    assert (finding.status, finding.words, finding.pages) == (
        "skipped",
        ("stoats",),
        (("scan.pdf", 7),),
    )
    assert "page 7 of scan.pdf" in finding.message
    task_draft = draft("?", ["1234 otters"], [A1, ("scan.pdf", 7)])
    assert extractive.check(task_draft, read(task_draft, TEXTS)).status == "ok"


@pytest.mark.parametrize("check", [extractive.check, minimality.check])
def test_what_to_fill_in_first(check) -> None:  # type: ignore[no-untyped-def]
    """Without an answer or evidence the check says which is wanted."""
    assert check(draft("?", [" "], [A1]), read(draft(evidence=[A1]), TEXTS)).message == (
        "Write the answer first."
    )
    assert check(draft("?", ["otters"]), []).message.startswith("Cite the pages")
    unanswerable_finding = check(draft("?", unanswerable=True), [])
    assert unanswerable_finding.status == "skipped" and "no answer" in unanswerable_finding.message


def test_a_page_that_suffices_is_shown() -> None:
    """The smallest set of pages with the whole answer, and what the others have of the question."""
    task_draft = draft("Who led the survey that counted otters?", ["Grey"], [A1, B1])
    finding = minimality.check(task_draft, read(task_draft, TEXTS))
    assert (finding.status, finding.pages) == ("warning", (B1,))
    assert finding.words == ("counted", "otters")
    assert "page 1 of b.pdf" in finding.message and "page 1 of a.pdf" in finding.message


def test_a_superfluous_page_is_to_be_removed() -> None:
    """Where the other page has nothing of the question either, the advice is to remove it."""
    task_draft = draft("Who was in charge?", ["Grey"], [B1, A2])
    finding = minimality.check(task_draft, read(task_draft, TEXTS))
    assert (finding.status, finding.words) == ("warning", ())
    assert "Remove page 2 of a.pdf" in finding.message


def test_the_smallest_of_several_subsets_is_shown() -> None:
    """It may have several pages; pages that hold more than another come first."""
    texts = {("d", n): text for n, text in enumerate(["x", "x y", "z", "y z"], start=1)}
    task_draft = draft("?", ["x y z"], list(texts))
    finding = minimality.check(task_draft, read(task_draft, texts))
    assert finding.pages == (("d", 2), ("d", 4))


def test_minimal_evidence_passes() -> None:
    """Each page holds a part of its own; a single page cannot be less."""
    task_draft = draft("?", ["1234", "north"], [A1, A2])
    assert minimality.check(task_draft, read(task_draft, TEXTS)).status == "ok"
    single_page_draft = draft("?", ["1234"], [A1, A1])
    assert minimality.check(single_page_draft, read(single_page_draft, TEXTS)).status == "ok"


def test_no_verdict_on_minimality_without_the_whole_answer() -> None:
    """Words that were found nowhere come first; a scan is named as the possible reason."""
    task_draft = draft("?", ["stoats"], [A1, A2])
    assert "settle that first" in minimality.check(task_draft, read(task_draft, TEXTS)).message
    scan = draft("?", ["stoats"], [A1, ("scan.pdf", 1)])
    finding = minimality.check(scan, read(scan, TEXTS))
    assert (finding.status, finding.pages) == ("skipped", (("scan.pdf", 1),))


def test_too_many_subsets_are_not_all_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit the choice is greedy: it suffices, and is not all of the evidence."""
    monkeypatch.setattr(minimality, "MAX_SUBSETS", 50)
    texts = {("d", n): " ".join(f"w{(n * k) % 29}" for k in range(5)) for n in range(1, 30)}
    task_draft = draft("?", [" ".join(f"w{n}" for n in range(29))], list(texts))
    finding = minimality.check(task_draft, read(task_draft, texts))
    assert finding.status == "warning"
    assert 1 < len(finding.pages) < 20
    joined_words = " ".join(texts[page] for page in finding.pages).split()
    assert set(joined_words) == {f"w{n}" for n in range(29)}
